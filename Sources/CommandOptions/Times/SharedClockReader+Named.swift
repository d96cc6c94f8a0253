// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import CommandKit
internal import JSONText
package import Realtime

extension SharedClockReader {
  /// Opens a served clock by its name or as a sync source: `studio`, `clock:studio`.
  ///
  /// - Parameter text: The name, with or without `clock:`.
  /// - Returns: The reader; the process that serves the clock may have ended.
  /// - Throws: `Failure`, with the running clock of a similar name, or how to start one.
  package static func named(_ text: String) throws(Failure) -> SharedClockReader {
    let name = text.hasPrefix("clock:") ? String(text.dropFirst("clock:".count)) : text
    do throws(SharedSnapshotError) {
      return try SharedClockReader(name: name)
    } catch .absent {
      let near = NearestNames.nearest(to: name, among: runningNames).map { "did you mean \($0)?" }
      let advice = near ?? "start it: downbeat clock serve \(name)"
      throw Failure(.noDevice, "no clock named '\(name)' is running (\(advice))")
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
  }

  /// Returns true if a word is the name of a running clock.
  ///
  /// - Parameter name: The word.
  /// - Returns: True if it is.
  static func isRunning(_ name: String) -> Bool {
    !name.contains(":") && runningNames.contains(name)
  }

  private static var runningNames: [String] {
    do { return try publishedNames() } catch { return [] }
  }
}
