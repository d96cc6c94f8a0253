// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MusicSequences
internal import MusicalTime

/// A place in a song, in the one TIME grammar.
struct EditPlace {
  let text: String
  private let expression: TimeExpression

  init(parsing text: String) throws {
    self.text = text
    do {
      expression = try TimeExpression(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The tick of the place.
  func tick(in sequence: MusicSequence, rounding: Rounding) throws -> Tick {
    do {
      let context = try TimeContext(of: sequence)
      let ticks = try context.ticks(of: context.position(of: expression))
      return Tick(try ticks.rounded(rounding, unit: "ticks").value)
    } catch {
      throw Failure(.usage, "time '\(text)': \(error)")
    }
  }
}
