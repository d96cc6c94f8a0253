// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
package import MIDIMessages
internal import MusicSequences
internal import PlayerControl

/// The options that select messages.
package struct FilterOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Accept only these kinds of messages, separated by commas.",
      discussion: "Kinds: " + MessageFilter.Kinds.named.map(\.name).joined(separator: ", "),
      valueName: "kinds"),
    transform: Self.kinds(in:))
  package var kind: MessageFilter.Kinds?

  @Option(
    help: ArgumentHelp("Accept all except these kinds of messages.", valueName: "kinds"),
    transform: Self.kinds(in:))
  package var not: MessageFilter.Kinds?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Accept only these channels, such as 1,3,10-16.", valueName: "channels"),
    transform: PortChannels.channels(in:))
  package var channel: UInt16?

  @Option(
    help: ArgumentHelp(
      "Accept only keys in a range, such as 36-60 or C2-C4. 80-40 means the keys up to 40 and the"
        + " keys from 80.",
      valueName: "range"))
  package var keys: String?

  @Option(
    help: ArgumentHelp(
      "Accept only notes with these velocities, such as 1-90.", valueName: "range"),
    transform: { try Self.range(in: $0) })
  var velocities: NumberRange?

  @OptionGroup var octaves: OctaveOption

  package func validate() throws {
    _ = try filter
  }

  package var filter: MessageFilter {
    get throws {
      MessageFilter(
        kinds: (kind ?? .all).subtracting(not ?? []), channels: channel ?? .max,
        keys: try keys.map(keyRange) ?? .all, velocities: velocities ?? .all)
    }
  }

  /// Reads two keys separated by a hyphen, or one key.
  private func keyRange(_ text: String) throws -> NumberRange {
    // Names such as C-1 and hi-hat contain a hyphen.
    let hyphens = text.indices.filter { text[$0] == "-" }
    let words = octaves.keys
    for hyphen in hyphens {
      let ends = [text[..<hyphen], text[text.index(after: hyphen)...]].map { words.note("\($0)") }
      if let low = ends[0], let high = ends[1] {
        return NumberRange(from: low.number, through: high.number)
      }
    }
    let key = try words.key(text)
    return NumberRange(from: key.number, through: key.number)
  }

  private static func kinds(in text: String) throws -> MessageFilter.Kinds {
    let named = MessageFilter.Kinds.named
    return try text.split(separator: ",").reduce(into: []) { kinds, name in
      guard let found = named.first(where: { $0.name == name }) else {
        let names = named.map(\.name).joined(separator: ", ")
        throw ValidationError("kind '\(name)': unknown (use \(names))")
      }
      kinds.formUnion(found.kinds)
    }
  }

  private static func range(in text: String) throws -> NumberRange {
    let ends = text.split(separator: "-", maxSplits: 1).map { UInt8($0) }
    guard let low = ends.first ?? nil, let high = ends.count > 1 ? ends[1] : low,
      low <= 127, high <= 127
    else { throw ValidationError("range '\(text)': not two numbers in 0…127 (try 36-60)") }
    return NumberRange(from: low, through: high)
  }
}
