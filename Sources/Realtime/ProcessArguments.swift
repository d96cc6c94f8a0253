// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import FileNames

/// The arguments and the path of the process, read without `/proc`.
///
/// Their bytes are preserved (see `FileName`).
///
/// On Linux, `CommandLine.arguments` is read from `/proc/self/cmdline` and is empty in a root file
/// system without it.
@safe
package enum ProcessArguments {
  /// The program's name and its arguments, as `main` receives them.
  package static let all: [String] = (0..<crealtime_argument_count()).compactMap { index in
    unsafe crealtime_argument(index).map { unsafe FileName.text(cString: $0) }
  }

  /// The path of the running program; empty if the system does not report it.
  package static let program: String =
    unsafe crealtime_program().map { unsafe FileName.text(cString: $0) } ?? ""
}
