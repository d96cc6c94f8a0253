// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The documents and manual pages as the site that `make docs` builds, without the library's pages.
@Suite struct DocumentTests {
  private static let tools = ["cmark-gfm", "mandoc", "python3", "unshare"]
  static let hasTools = tools.allSatisfy {
    FileManager.default.fileExists(atPath: "/usr/bin/\($0)")
  }

  @Test(.enabled(if: hasTools, "apt install cmark-gfm mandoc python3"))
  func `every link has a target, and no documented command is a usage error`() throws {
    let scratch = try ScratchFolder()
    let manual = scratch.path("manual")
    let pages = try ToolRun([manual, "2026-01-01"], command: ToolRun.program("downbeat-manual"))
    #expect(pages.status == 0, "\(pages.errors)")
    let build = URL(fileURLWithPath: ToolRun.command).deletingLastPathComponent().path
    let run = try ToolRun(
      [
        ToolRun.packageFolder.appendingPathComponent("Documentation/site.py").path,
        "--build", build, "--manual", "\(manual)/man1", "--output", scratch.path("site"),
        "--no-library",
      ], command: "/usr/bin/python3")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains(" 0 faults"), "\(run.text)")
  }
}
