// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MIDIMessages
package import PlayerControl

/// Keys as text for the user: names with numbers; on the drum channel the names of drums.
package struct KeyWords: Equatable {
  /// The octave number of middle C.
  package var middleC: Int

  /// Creates names with an octave number of middle C.
  package init(middleC: Int = 4) { self.middleC = middleC }

  /// The name and number of a key: `C4 (60)`; on the drum channel `Acoustic Snare (38)`.
  package func text(_ key: Key, on channel: Channel?) -> String {
    "\(name(key, on: channel)) (\(key.number))"
  }

  /// The name of a key: `C4`; on the drum channel `Acoustic Snare`.
  package func name(_ key: Key, on channel: Channel?) -> String {
    let drum = channel == .percussion ? GeneralMIDI.name(ofDrum: key) : nil
    return drum ?? key.name(middleC: middleC)
  }

  /// Reads a key: a number, or a name such as `C#4`; nil for other text.
  package func note(_ text: String) -> Key? {
    if let number = UInt8(text), number < 128 { return Key(number) }
    return Key(named: text, middleC: middleC)
  }

  /// Reads a key: a number, a name such as `C#4`, or the name of a drum.
  ///
  /// Names of drums are accepted on the drum channel, and without a channel.
  package func key(_ text: String, on channel: Channel? = nil) throws(ControlError) -> Key {
    if let key = note(text) { return key }
    let hasDrums = channel == nil || channel == .percussion
    let found = hasDrums && Int(text) == nil ? GeneralMIDI.drums(named: text) : []
    if let only = found.first, found.count == 1 { return only }
    throw Choice.refusal(
      "key", text,
      hasDrums
        ? "must be a number 0…127, a note (C#4) or a drum (snare)"
        : "must be a number 0…127 or a note (C#4); drums are on channel 10",
      found.map { "\($0.number) \(GeneralMIDI.name(ofDrum: $0) ?? "")" })
  }
}
