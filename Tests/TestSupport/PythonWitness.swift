// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The Python whose packages speak the same protocols as we do, as `make setup-test` made it.
public enum PythonWitness {
  /// Its path.
  public static let path =
    ProcessInfo.processInfo.environment["DOWNBEAT_PYTHON"]
    ?? ToolRun.packageFolder.appendingPathComponent(".build/witnesses/bin/python").path

  /// Whether it has a module.
  public static func has(_ module: String) -> Bool {
    guard FileManager.default.isExecutableFile(atPath: path) else { return false }
    do {
      return try ToolRun(["-c", "import \(module)"], command: path).status == 0
    } catch {
      return false
    }
  }
}
