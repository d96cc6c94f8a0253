// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The encoder of Musepack.
package enum MusepackWitness {
  private static let command = "/usr/bin/mpcenc"
  package static let isInstalled = FileManager.default.fileExists(atPath: command)

  package static func make(_ target: String, from source: String) throws {
    let run = try ToolRun(["--silent", "--overwrite", source, target], command: command)
    guard run.status == 0 else { throw FFmpegWitness.Failure(text: run.errors) }
  }
}
