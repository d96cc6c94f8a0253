// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The variables that the built command is given: this process's, without anybody's settings.
enum ToolEnvironment {
  static var variables: [String: String] {
    // What tests are asked for by such a variable would be an option of the command, too.
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DOWNBEAT_") }
    for name in ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"] { variables[name] = "/dev/null/nowhere" }
    return variables
  }
}
