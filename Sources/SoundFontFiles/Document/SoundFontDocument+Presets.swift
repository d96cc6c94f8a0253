// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A name in the tables of a font: 20 bytes, padded with zeros.
  public struct Name: Hashable, Sendable {
    /// The bytes as in the file.
    public var bytes: [UInt8]

    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Creates a name.
    ///
    /// - Parameter text: The name; cut to 20 bytes of UTF-8.
    public init(_ text: String) {
      let text = SoundFontDocument.prefix(of: text, limit: Self.length)
      bytes = text + [UInt8](repeating: 0, count: Self.length - text.count)
    }

    static let length = 20

    /// The name as a string, up to the first zero byte.
    ///
    /// If the bytes are not valid UTF-8, they are decoded as Latin-1.
    public var text: String { FontTable.text(bytes[...]) }
  }

  /// A preset, which is selected by a bank and a program number.
  public struct Preset: Hashable, Sendable {
    /// The name of the preset.
    public var name: Name
    /// The program, 0…127.
    public var program: UInt16
    /// The bank, 0…127, or 128 for drums.
    public var bank: UInt16
    /// A reserved number: 0 in new presets, or the number in the file.
    public var library: UInt32
    /// A reserved number: 0 in new presets, or the number in the file.
    public var genre: UInt32
    /// A reserved number: 0 in new presets, or the number in the file.
    public var morphology: UInt32
    /// The zones, in file order.
    ///
    /// The first zone is global, so its settings apply to all others, if it does not end with an
    /// instrument.
    public var zones: [Zone]

    /// Creates a preset.
    ///
    /// - Parameters:
    ///   - name: The name, cut to 20 bytes.
    ///   - bank: The bank, 0…127, or 128 for drums.
    ///   - program: The program, 0…127.
    ///   - zones: The zones. Each zone ends with `Generator.instrument`, except a global zone,
    ///     which is the first.
    public init(name: String, bank: UInt16, program: UInt16, zones: [Zone]) {
      (self.name, self.bank, self.program, self.zones) = (Name(name), bank, program, zones)
      (library, genre, morphology) = (0, 0, 0)
    }
  }

  /// An instrument: samples that are assigned to keys and velocities.
  public struct Instrument: Hashable, Sendable {
    /// The name of the instrument.
    public var name: Name
    /// The zones, in file order.
    ///
    /// The first zone is global, so its settings apply to all others, if it does not end with a
    /// sample.
    public var zones: [Zone]

    /// Creates an instrument.
    ///
    /// - Parameters:
    ///   - name: The name, cut to 20 bytes.
    ///   - zones: The zones. Each zone ends with `Generator.sample`, except a global zone, which is
    ///     the first.
    public init(name: String, zones: [Zone]) { self.init(name: Name(name), zones: zones) }

    init(name: Name, zones: [Zone]) { (self.name, self.zones) = (name, zones) }
  }

  /// A zone: the settings for some keys and velocities of a preset or an instrument.
  public struct Zone: Hashable, Sendable {
    /// The generators in file order: the key range first, then the velocity range, and the
    /// reference to an instrument or sample last.
    public var generators: [Generator]
    /// The modulators, in file order.
    public var modulators: [Modulator]

    /// Creates a zone.
    ///
    /// - Parameters:
    ///   - generators: The generators, in the order that the standard requires.
    ///   - modulators: The modulators, in file order.
    public init(generators: [Generator] = [], modulators: [Modulator] = []) {
      (self.generators, self.modulators) = (generators, modulators)
    }
  }
}
