// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import Realtime

/// The environment variables of the current console, and the path of the program.
package enum Environment {
  /// The values of all variables, by name.
  package static var variables: [String: String] { Console.current.variables ?? ofProcess }

  private static var ofProcess: [String: String] {
    var found: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe FileName.text(cString: text)
      if let equals = line.firstIndex(of: "=") {
        found[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
      unsafe entry += 1
    }
    return found
  }

  /// The path of the command's program; empty if the system does not report it.
  package static var executable: String { Console.current.executable ?? ProcessArguments.program }
}
