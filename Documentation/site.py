#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the documentation as one site, without a network: `make docs`.

  Documentation/site.py --build .build/release --manual MAN1 --output FOLDER [--no-library]

The site has the documents (cmark-gfm), the manual pages of the folder MAN1 (mandoc), and the library
(DocC, from the symbols of the modules that are built). Exit status 1: a warning, a link without a
target, or a command in a document that is a usage error or crashes. Look at it with
`python3 -m http.server -d FOLDER`: the pages of the library need a server, the others do not.
"""
import argparse
import concurrent.futures
import html
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
STYLE = """body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;
color:#222;background:#fff}pre,code{font-family:ui-monospace,monospace;font-size:.92em}
pre{overflow-x:auto;background:#f3f4f6;padding:.8rem}table{border-collapse:collapse;display:block;overflow-x:auto}
td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left;vertical-align:top}img{max-width:100%}
nav{margin-bottom:1.5rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181d}pre{background:#23262d}a{color:#8ab4f8}}"""
# The time that a documented command has; most run until they are ended.
SECONDS = 2


class Site:
    def __init__(self, output):
        self.output, self.faults, self.folders = output, [], set()

    def fault(self, text):
        print(text, file=sys.stderr)
        self.faults.append(text)

    def write(self, path, title, body):
        to_root = "../" * (len(pathlib.PurePosixPath(path).parts) - 1)
        file = self.output / path
        file.parent.mkdir(parents=True, exist_ok=True)
        links = [("index.html", "Downbeat"), ("Documentation/README.html", "Documents"),
                 ("man/index.html", "Manual pages"), ("library/documentation/index.html", "Library")]
        bar = " · ".join(f'<a href="{to_root}{link}">{name}</a>' for link, name in links)
        file.write_text(f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
                        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
                        f"<nav>{bar}</nav>\n{body}</html>\n", encoding="utf-8")

    # The documents.

    def documents(self):
        folders = ("", "Documentation/", "Songs/", "Soundfonts/")
        found = (page for folder in folders for page in sorted((ROOT / folder).glob("*.md")))
        return [pathlib.PurePosixPath(page.relative_to(ROOT)) for page in found]

    def add_document(self, path, pages):
        words = ["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", str(ROOT / path)]
        body = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        body = add_anchors(body)
        body = re.sub(r'(href|src|srcset)="([^"]*)"', lambda m: f'{m[1]}="{self.target(path, m[2], pages)}"', body)
        title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
        name = path.with_suffix(".html") if path != pathlib.PurePosixPath("README.md") else "index.html"
        self.write(str(name), re.sub("<[^>]*>", "", title[1]) if title else path.stem, body)

    def target(self, page, link, pages):
        """The link in the site; files of the repository that it names are copied."""
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or not parts.path:
            return link
        path = pathlib.PurePosixPath(os.path.normpath(page.parent / urllib.parse.unquote(parts.path)))
        anchor = f"#{parts.fragment}" if parts.fragment else ""
        here = page.parent
        if path in pages:
            file = "index.html" if str(path) == "README.md" else str(path.with_suffix(".html"))
            return os.path.relpath(file, here) + anchor
        source = ROOT / path
        if source.is_dir():
            self.folders.add(path)
            return os.path.relpath(path / "index.html", here)
        if source.is_file():
            (self.output / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, self.output / path)
        return os.path.relpath(path, here) + anchor

    def add_folders(self):
        for folder in sorted(self.folders):
            items = []
            files = sorted(file for file in (ROOT / folder).rglob("*") if file.is_file())
            for path in (pathlib.PurePosixPath(file.relative_to(ROOT)) for file in files):
                if any(part.startswith(".") for part in path.parts):
                    continue
                (self.output / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / path, self.output / path)
                items.append(f'<li><a href="{path.relative_to(folder)}">{path.relative_to(folder)}</a>')
            self.write(f"{folder}/index.html", str(folder), f"<h1>{folder}</h1><ul>{''.join(items)}</ul>")

    # The manual pages.

    def add_manual(self, folder):
        names = sorted(folder.glob("*.1"))
        for page in names:
            words = ["mandoc", "-T", "html", "-O", "fragment,man=%N.html;https://manpages.debian.org/%N.%S", "-W", "warning", str(page)]
            run = subprocess.run(words, capture_output=True, text=True, check=False)
            for line in run.stderr.splitlines():
                self.fault(line)
            self.write(f"man/{page.stem}.html", page.stem, run.stdout)
        items = "".join(f'<li><a href="{page.stem}.html">{page.stem}</a>' for page in names)
        self.write("man/index.html", "Manual pages", f"<h1>Manual pages</h1><ul>{items}</ul>")

    # The library.

    def add_library(self, build):
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            archives = []
            for catalog in sorted(ROOT.glob("Sources/*/*.docc")):
                module = catalog.stem
                symbols = work / module
                symbols.mkdir()
                self.run(symbol_words(build, module, symbols))
                archive = work / f"{module}.doccarchive"
                self.run(["docc", "convert", catalog, "--fallback-display-name", module,
                          "--fallback-bundle-identifier", f"downbeat.{module}",
                          "--additional-symbol-graph-dir", symbols, "--output-dir", archive])
                archives.append(archive)
            whole = work / "library.doccarchive"
            self.run(["docc", "merge", *archives, "--synthesized-landing-page-name", "Downbeat", "--output-path", whole])
            self.run(["docc", "process-archive", "transform-for-static-hosting", whole,
                      "--output-path", self.output / "library", "--hosting-base-path", "library"])

    def run(self, words):
        run = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
        text = (run.stdout + run.stderr).strip()
        if run.returncode or "warning:" in text or "error:" in text:
            self.fault(f"{words[0]} {words[1]} {words[2]}: {text}")

    # The checks.

    def check_links(self, has_library):
        pages = [page for page in self.output.rglob("*.html") if "library" not in page.relative_to(self.output).parts]
        anchors = {page: set(re.findall(r'\bid="([^"]*)"', page.read_text(encoding="utf-8"))) for page in pages}
        count = 0
        for page in pages:
            for link in re.findall(r'(?:href|src|srcset)="([^"]*)"', page.read_text(encoding="utf-8")):
                parts = urllib.parse.urlsplit(html.unescape(link))
                if parts.scheme or not has_library and "library/" in parts.path:
                    continue
                count += 1
                target = page.parent / urllib.parse.unquote(parts.path) if parts.path else page
                target = pathlib.Path(os.path.normpath(target))
                if not target.exists():
                    self.fault(f"{page.relative_to(self.output)}: {link}: no such page or file")
                elif parts.fragment and target in anchors and urllib.parse.unquote(parts.fragment) not in anchors[target]:
                    self.fault(f"{page.relative_to(self.output)}: {link}: no such heading")
        return count

    def check_commands(self, documents, program):
        with tempfile.TemporaryDirectory() as folder:
            bench = pathlib.Path(folder)
            for name in ("Songs", "Soundfonts", "Documentation"):
                shutil.copytree(ROOT / name, bench / name)
            shutil.copyfile(bench / "Songs/rag.mid", bench / "song.mid")
            (bench / "bin").mkdir()
            (bench / "bin/downbeat").symlink_to(program)
            commands = sorted({(str(path), command) for path in documents for command in documented(path)})
            with concurrent.futures.ThreadPoolExecutor(8) as team:
                list(team.map(lambda found: self.check_command(*found, bench), commands))
            return len(commands)

    def check_command(self, path, command, bench):
        """A documented command may fail without devices, network or files; not as a usage error, and not by a signal."""
        variables = dict(os.environ, PATH=f"{bench}/bin:{os.environ['PATH']}", HOME=str(bench), LC_ALL="C.UTF-8",
                         XDG_RUNTIME_DIR=str(bench), XDG_STATE_HOME=str(bench), XDG_CACHE_HOME=str(bench),
                         XDG_CONFIG_HOME=str(bench), TERM="dumb")
        words = ["unshare", "--map-root-user", "--net", "timeout", "--signal=INT", "--kill-after=10", str(SECONDS),
                 "bash", "-c", f"set -o pipefail; {command}"]
        run = subprocess.run(words, cwd=bench, env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                             errors="replace", check=False)
        # 124 and 137 are timeout's: the command was ended.
        if run.returncode == 64 or run.returncode in range(128 + 1, 128 + 32) and run.returncode not in (130, 137):
            self.fault(f"{path}: `{command}` ends with {run.returncode}: {run.stderr.strip()[-200:]}")


def symbol_words(build, module, folder):
    maps = [*build.glob("*.build/module.modulemap"), *ROOT.glob("Sources/**/module.modulemap")]
    machine = platform.machine()
    return ["swift-symbolgraph-extract", "-module-name", module, "-target", f"{machine}-unknown-linux-gnu",
            "-I", build / "Modules", *(word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")),
            "-Xcc", f"-I{ROOT}/Sources/CLibraries/include", "-minimum-access-level", "public",
            "-skip-inherited-docs", "-output-dir", folder]


def add_anchors(body):
    """Names of headings, as GitHub makes them."""
    seen = {}

    def heading(match):
        text = html.unescape(re.sub("<[^>]*>", "", match[2]))
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        seen[name] = seen.get(name, -1) + 1
        name = f"{name}-{seen[name]}" if seen[name] else name
        return f'<h{match[1]} id="{html.escape(name)}">{match[2]}</h{match[1]}>'
    return re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.DOTALL)


def documented(path):
    """The downbeat commands in the code blocks of a document."""
    language = None
    for line in (ROOT / path).read_text(encoding="utf-8").splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            language = None if language is not None else fence[1]
            continue
        in_code = line.startswith("    ") if language is None else language in ("", "sh", "console")
        command = re.match(r"\s*(?:\$ )?(downbeat(?: .*)?)$", line)
        if in_code and command:
            yield re.sub(r"\s+#( .*)?$", "", command[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--manual", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--no-library", action="store_true")
    chosen = parser.parse_args()
    shutil.rmtree(chosen.output, ignore_errors=True)
    chosen.output.mkdir(parents=True)
    site = Site(chosen.output.resolve())
    documents = site.documents()
    for path in documents:
        site.add_document(path, documents)
    site.add_folders()
    site.add_manual(chosen.manual)
    if not chosen.no_library:
        site.add_library(chosen.build.resolve())
    links = site.check_links(not chosen.no_library)
    commands = site.check_commands(documents, (chosen.build / "downbeat").resolve())
    print(f"{chosen.output}: {len(documents)} documents, {links} links, {commands} commands, {len(site.faults)} faults")
    return 1 if site.faults else 0


sys.exit(main())
