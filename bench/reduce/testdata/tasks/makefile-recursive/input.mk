# Builds the library, the tools and the tests of a small project.
PREFIX ?= /usr/local
BUILD  := build
CC     ?= cc
OPTIMIZE = -O2
DEBUG_FLAGS = -g -DDEBUG=1

ifeq ($(MODE),debug)
  OPTIMIZE = -O0 $(DEBUG_FLAGS)
else
  OPTIMIZE += -DNDEBUG
endif

WARNINGS = -Wall -Wextra
CFLAGS = $(OPTIMIZE) $(WARNINGS) $(INCLUDES)
INCLUDES = $(addprefix -I,include $(GENERATED_DIRS))
GENERATED_DIRS = $(sort $(dir $(GENERATED)))
LIB_SOURCES = $(wildcard src/lib/*.c)
TOOL_SOURCES = $(wildcard src/tools/*.c)
LIB_OBJECTS = $(LIB_SOURCES:%.c=$(BUILD)/%.o)
TOOLS = $(TOOL_SOURCES:src/tools/%.c=$(BUILD)/bin/%)
GENERATED = $(patsubst %.def,$(BUILD)/gen/%.h,$(DEFINITIONS))

ifneq ($(words $(LIB_SOURCES)),0)
  DEFINITIONS = tokens.def
else
  ifeq ($(origin TABLES),undefined)
    DEFINITIONS = $(filter-out old.def,$(TABLES))
    TABLES = opcodes.def $(if $(findstring gen,$(INCLUDES)),extra.def)
  endif
endif

.PHONY: all clean test install

all: $(BUILD)/libsmall.a $(TOOLS)

$(BUILD)/libsmall.a: $(LIB_OBJECTS)
	@mkdir -p $(@D)
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

$(BUILD)/bin/%: src/tools/%.c $(BUILD)/libsmall.a
	$(CC) $(CFLAGS) -o $@ $^

test: all
	@for t in $(TOOLS); do $$t --self-test || exit 1; done

install: all
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(TOOLS) $(DESTDIR)$(PREFIX)/bin

clean:
	rm -rf $(BUILD)
