// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl

/// The exit status of the command, as in `sysexits.h` if that defines a number.
package enum ExitStatus: Int32, Error, Comparable {
  case success = 0
  case failure = 1
  /// Done, but with repairs, or some of several inputs failed.
  case partial = 3
  /// A conversion that had to be exact would need rounding.
  case inexact = 4
  case usage = 64
  /// The input is not valid MIDI, or contains nothing usable.
  case badData = 65
  case noInput = 66
  case noDevice = 69
  case internalError = 70
  case noOutput = 73
  case ioError = 74
  case noPermission = 77
  /// A setting is not usable, or a soundfont is missing.
  case configuration = 78

  package static let noSoundFont = configuration
  /// A required library is not installed.
  package static let noLibrary = noDevice

  package static func < (left: ExitStatus, right: ExitStatus) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Ends the process with this status, or with the status for lost output.
  ///
  /// - Parameter sentence: The error message that was printed; nil for none.
  package func end(because sentence: String? = nil) -> Never {
    ControlSocket.removeAll()
    let status = conclude(because: sentence)
    ForcedEnd.allowExit()
    exit(status.rawValue)
  }

  /// Ends the report and the output of the current console.
  ///
  /// - Parameter sentence: The error message that was printed; nil for none.
  /// - Returns: This status, or the status for lost output if the command itself has not failed.
  package func conclude(because sentence: String?) -> ExitStatus {
    JSONReport.end(self, because: sentence)
    do throws(Failure) {
      try Console.current.finish()
    } catch {
      // A command that failed has already printed its message.
      guard self == .success || self == .partial else { return self }
      Terminal.report("\(error)")
      return error.exitStatus
    }
    return self
  }
}
