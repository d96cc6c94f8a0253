// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The Python with packages that implement the same protocols, created by `make setup-test`.
public enum PythonWitness {
  /// The path of the interpreter.
  public static let path =
    ProcessInfo.processInfo.environment["DOWNBEAT_PYTHON"]
    ?? ToolRun.packageFolder.appendingPathComponent(".build/witnesses/bin/python").path

  /// Returns true if it has a module.
  public static func has(_ module: String) -> Bool {
    guard FileManager.default.isExecutableFile(atPath: path) else { return false }
    do {
      return try ToolRun(["-c", "import \(module)"], command: path).status == 0
    } catch {
      return false
    }
  }
}
