// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import Downbeat
internal import MusicalTime

extension RenderTail {
  /// Reads the value of `--tail`: `auto`, `exact`, `none` or a time such as `2s`.
  ///
  /// A number without a unit is in seconds.
  package init(parsing text: String) throws {
    switch text.lowercased() {
    case "auto": self = .auto
    case "exact": self = .exact
    case "none": self = .none
    default:
      guard let seconds = Self.seconds(text), (0...3600).contains(seconds) else {
        throw ValidationError("--tail \(text): not auto, exact, none or 0…3600 seconds")
      }
      self = .seconds(seconds)
    }
  }

  /// Returns the seconds of a time; nil if the text is not a time in seconds.
  private static func seconds(_ text: String) -> Double? {
    do {
      let time = try TimeExpression(text, bareNumbersAs: .seconds)
      guard case .seconds(let seconds) = time.value else { return nil }
      return seconds.approximation
    } catch {
      return nil
    }
  }
}
