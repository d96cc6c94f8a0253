// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The environment of the command under test: that of this process, without a user's settings.
public enum ToolEnvironment {
  /// The variables by name.
  public static var variables: [String: String] {
    // Variables for tests would be read as options of the command.
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DOWNBEAT_") }
    // Without a locale the command prints ASCII.
    if !["LC_ALL", "LC_CTYPE", "LANG"].contains(where: { variables[$0] != nil }) {
      variables["LC_ALL"] = "C.UTF-8"
    }
    for name in ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"] { variables[name] = "/dev/null/nowhere" }
    return variables
  }
}
