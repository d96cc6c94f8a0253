// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
package import MusicSequences
package import MusicalTime

/// A place in a song, in the one TIME grammar.
package struct EditPlace {
  package let text: String
  private let expression: TimeExpression

  /// Reads a place; a bare number is seconds.
  package init(parsing text: String) throws {
    self.text = text
    do {
      expression = try TimeExpression(text, bareNumbersAs: .seconds)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The first tick at or after the place.
  package func tick(in sequence: MusicSequence) throws -> Tick {
    do {
      let context = try TimeContext(of: sequence)
      return try context.firstTick(of: context.position(of: expression))
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }
}
