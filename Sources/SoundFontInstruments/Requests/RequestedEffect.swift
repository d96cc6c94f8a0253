// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// An effect of GS, XG or General MIDI 2 that a song asks for.
public struct RequestedEffect: Hashable, Sendable {
  /// The place of the effect in the module.
  public enum Kind: String, Hashable, Sendable {
    /// A system effect: parts send to it.
    case reverb, chorus, delay
    /// An equaliser that parts go through.
    case equalizer
    /// An effect of some parts alone.
    case insertion
    /// XG's third effect, which is a system effect or one of a part.
    case variation
  }

  /// The standard whose types they are.
  public enum Standard: String, Hashable, Sendable { case gs, xg, gm2 }

  /// The place of the effect.
  public let kind: Kind
  /// The standard.
  public let standard: Standard
  /// The type, 0…32639: the upper byte times 256, and the lower; of a macro of GS and a kind of
  /// General MIDI 2 its number.
  public internal(set) var type: Int
  /// Whether Downbeat's own voices have it; if not, the song plays without it.
  public internal(set) var isAvailable: Bool
  /// The channels of the parts that go through it, ascending; empty for a system effect.
  public internal(set) var channels: [Channel] = []
  /// The names of the parameters of a reverb or a chorus that messages set beside its type, each once, in
  /// the order of the messages: `time`, `feedback`.
  public internal(set) var parameters: [String] = []
  /// The names of those that Downbeat's own voices do not play.
  public internal(set) var unplayed: [String] = []

  /// The name in the owner's manual, or the type's two bytes in hexadecimal.
  public var name: String { EffectName.name(of: type, standard, kind) ?? Self.digits(of: type) }

  private static func digits(of type: Int) -> String {
    [type >> 8 & 0x7F, type & 0x7F].map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined(separator: " ")
  }

  /// Takes in a parameter.
  mutating func add(_ parameter: SystemParameter) {
    if !parameters.contains(parameter.words) { parameters.append(parameter.words) }
    if !parameter.isPlayed, !unplayed.contains(parameter.words) {
      unplayed.append(parameter.words)
    }
  }

  /// Whether both are the same effect, whatever the parts and the parameters.
  func isSame(as other: RequestedEffect) -> Bool {
    kind == other.kind && standard == other.standard && type == other.type
      && isAvailable == other.isAvailable
  }
}

extension [RequestedEffect] {
  /// Each effect once, whatever its parts, in the order in which they first come.
  package var distinct: [RequestedEffect] {
    reduce(into: []) { distinct, effect in
      if !distinct.contains(where: effect.isSame) { distinct.append(effect) }
    }
  }
}
