// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The variables of the command under test: those of this process, without a user's settings.
public enum ToolEnvironment {
  /// The variables by name.
  public static var variables: [String: String] {
    // What tests are asked for by such a variable would be an option of the command, too.
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DOWNBEAT_") }
    for name in ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"] { variables[name] = "/dev/null/nowhere" }
    return variables
  }
}
