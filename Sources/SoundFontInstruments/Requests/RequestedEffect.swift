// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// An effect of GS, XG or General MIDI 2 that a song requests.
public struct RequestedEffect: Hashable, Sendable {
  /// The kinds of effects in a module.
  public enum Kind: String, Hashable, Sendable {
    /// A system effect, to which parts send a share of their sound.
    case reverb, chorus, delay
    /// An equaliser through which parts can be played.
    case equalizer
    /// An insertion effect, through which the sound of some parts passes.
    case insertion
    /// XG's variation effect, which is a system effect or an insertion effect of one part.
    case variation
  }

  /// The standards that define the effect types.
  public enum Standard: String, Hashable, Sendable { case gs, xg, gm2 }

  /// The kind of effect.
  public let kind: Kind
  /// The standard that defines the type.
  public let standard: Standard
  /// The type of the effect, 0…32 639: the upper byte of the message times 256 plus the lower byte.
  ///
  /// For GS macros and General MIDI 2 types, their number.
  public internal(set) var type: Int
  /// True if Downbeat's own voices support the effect; otherwise the song is played without it.
  public internal(set) var isAvailable: Bool
  /// The channels of the parts that are routed through the effect, ascending; empty for a system
  /// effect.
  public internal(set) var channels: [Channel] = []
  /// For a reverb or chorus, the names of the parameters that messages set in addition to the type,
  /// such as `time`.
  ///
  /// Each name occurs once, in the order of the messages.
  public internal(set) var parameters: [String] = []
  /// The names of the parameters that Downbeat's own voices ignore.
  public internal(set) var unplayed: [String] = []

  /// The name of the effect in the manual of the module; for an unknown type, its two bytes in
  /// hexadecimal.
  public var name: String { EffectName.name(of: type, standard, kind) ?? Self.digits(of: type) }

  private static func digits(of type: Int) -> String {
    [type >> 8 & 0x7F, type & 0x7F].map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined(separator: " ")
  }

  /// Adds a parameter.
  mutating func add(_ parameter: SystemParameter) {
    if !parameters.contains(parameter.words) { parameters.append(parameter.words) }
    if !parameter.isPlayed, !unplayed.contains(parameter.words) {
      unplayed.append(parameter.words)
    }
  }

  /// True if both are the same effect; parts and parameters are not compared.
  func isSame(as other: RequestedEffect) -> Bool {
    kind == other.kind && standard == other.standard && type == other.type
      && isAvailable == other.isAvailable
  }
}

extension [RequestedEffect] {
  /// Each effect once, without regard to its parts, in the order of the first occurrence.
  package var distinct: [RequestedEffect] {
    reduce(into: []) { distinct, effect in
      if !distinct.contains(where: effect.isSame) { distinct.append(effect) }
    }
  }
}
