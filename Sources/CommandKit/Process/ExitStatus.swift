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

  /// Ends the process with this status, or where what it wrote is lost, with that.
  ///
  /// - Parameter sentence: what went wrong, as it was told to a person.
  package func end(because sentence: String? = nil) -> Never {
    ControlSocket.removeAll()
    JSONReport.end(self, because: sentence)
    do {
      try StandardOutput.finish()
    } catch  where self == .success || self == .partial {
      Terminal.report("\(error)")
      ForcedEnd.allowExit()
      exit(error.exitStatus.rawValue)
    } catch {
      // Why the command ends was told before.
    }
    ForcedEnd.allowExit()
    exit(rawValue)
  }
}
