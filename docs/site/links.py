"""Hooks of mkdocs: links to files of the repository that are no pages lead to its source."""

import os
import posixpath
import re


def on_page_markdown(markdown, page, config, files):
    def source(match):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), match[1]))
        shown = files.get_file_from_path(path)
        if ":" in match[1] or shown and shown.inclusion.is_included() or not os.path.exists(os.path.join(config.docs_dir, path)):
            return match[0]
        return f"]({config.repo_url}/tree/main/{path})"

    return re.sub(r"\]\(([^)#\s]+)\)", source, markdown)


def on_post_page(output, page, config):
    """Names what the theme leaves without a name for screen readers."""
    for control, name in [('role="dialog"', "Search"), ('id="__search"', "Search"), ('id="__drawer"', "Navigation"), ('id="__toc"', "Contents")]:
        output = output.replace(control, f'{control} aria-label="{name}"')
    return output
