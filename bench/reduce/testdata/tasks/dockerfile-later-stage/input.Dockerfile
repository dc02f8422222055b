# Builds the service, its documents and a small image to run it.
ARG DEBIAN=bookworm
FROM debian:${DEBIAN} AS base
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl \
    && rm -rf /var/lib/apt/lists/*
ENV LANG=C.UTF-8 \
    TZ=UTC

FROM base AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# the page that the service shows when nobody is logged in
COPY --from=pages /out/index.html internal/web/index.html
RUN go build -trimpath -ldflags "-s -w" -o /out/service ./cmd/service

FROM base AS pages
WORKDIR /docs
COPY docs/ .
COPY --from=build /src/CHANGELOG.md changelog.md
RUN mkdir -p /out && ./render.sh index.md > /out/index.html

FROM base AS test
WORKDIR /src
COPY --from=build /src /src
RUN go test ./... -count=1

FROM debian:${DEBIAN}-slim
LABEL org.opencontainers.image.title="service"
RUN useradd --system --no-create-home service
COPY --from=build /out/service /usr/local/bin/service
COPY --from=pages /out/index.html /usr/share/service/index.html
USER service
EXPOSE 8080
HEALTHCHECK CMD curl -fsS http://localhost:8080/healthy
ENTRYPOINT ["/usr/local/bin/service"]
CMD ["--listen", ":8080"]
