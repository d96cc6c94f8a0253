// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import PlayerControl

/// How the process ends, after `sysexits.h` where that has a number.
package enum ExitStatus: Int32, Error, Comparable {
  case success = 0
  case failure = 1
  /// Done, with repairs; or some of several inputs failed.
  case partial = 3
  /// A conversion that was to be exact would have had to round.
  case inexact = 4
  case usage = 64
  /// Not MIDI, or nothing in it that can be used.
  case badData = 65
  case noInput = 66
  case noDevice = 69
  case internalError = 70
  case noOutput = 73
  case ioError = 74
  case noPermission = 77
  /// A setting that cannot be used, or no soundfont.
  case configuration = 78

  package static let noSoundFont = configuration
  /// A library that is needed is not installed.
  package static let noLibrary = noDevice

  package static func < (left: ExitStatus, right: ExitStatus) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Ends the process with this status, or with that of lost output.
  ///
  /// - Parameter sentence: the error message that was printed; nil if there was none.
  package func end(because sentence: String? = nil) -> Never {
    ControlSocket.removeAll()
    let status = conclude(because: sentence)
    ForcedEnd.allowExit()
    exit(status.rawValue)
  }

  /// Ends the report and the output of the current console.
  ///
  /// - Parameter sentence: the error message that was printed; nil if there was none.
  /// - Returns: this status, or that of lost output if the command itself has not failed.
  package func conclude(because sentence: String?) -> ExitStatus {
    JSONReport.end(self, because: sentence)
    do throws(Failure) {
      try Console.current.finish()
    } catch {
      // The message of a command that failed was printed before.
      guard self == .success || self == .partial else { return self }
      Terminal.report("\(error)")
      return error.exitStatus
    }
    return self
  }
}
