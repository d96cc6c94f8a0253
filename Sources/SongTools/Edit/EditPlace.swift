// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
package import MusicSequences
package import MusicalTime

/// A time in a song, in any notation that `TimeExpression` reads.
package struct EditPlace {
  package let text: String
  private let expression: TimeExpression

  /// Reads a time.
  ///
  /// A number without a unit is in seconds.
  package init(parsing text: String) throws {
    self.text = text
    do {
      expression = try TimeExpression(text, bareNumbersAs: .seconds)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Returns the first tick at or after the time.
  package func tick(in sequence: MusicSequence) throws -> Tick {
    do {
      let context = try TimeContext(of: sequence)
      return try context.firstTick(of: context.position(of: expression))
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }
}
