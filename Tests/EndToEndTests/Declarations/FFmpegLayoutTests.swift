// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Our places of the members of FFmpeg's structures, held against the headers that are installed;
/// those of the other releases are compared by hand (Documentation/Systems.md).
@Suite struct FFmpegLayoutTests {
  static let folders = [
    "/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu",
  ].filter { FileManager.default.fileExists(atPath: "\($0)/libavformat/avformat.h") }

  @Test(.enabled(if: !folders.isEmpty, "no libavformat-dev (make setup-test)"), arguments: folders)
  func `members lie where the installed headers have them`(folder: String) throws {
    let script = ToolRun.packageFolder.appendingPathComponent("Tests/ffmpeg-layouts").path
    let run = try ToolRun([folder], command: script)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains(" 0 different"))
  }
}
