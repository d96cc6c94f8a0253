// SPDX-License-Identifier: Apache-2.0

/// What a decoder of AAC is to know before the first packet.
///
/// Source: ISO/IEC 14496-3, 1.6.2.1 (AudioSpecificConfig), 4.4.1 (GASpecificConfig), 1.6.5 and
/// 1.6.6 (signalling of SBR and PS).
public struct AudioSpecificConfig: Hashable, Sendable {
  /// What is known of an extension.
  public enum Presence: Hashable, Sendable {
    /// The configuration does not speak of it: only the packets tell.
    case unsaid
    /// It is not there.
    case absent
    /// It is there.
    case present
  }

  /// How extensions are told of.
  public enum Signalling: Hashable, Sendable {
    /// Not at all.
    case none
    /// By the object type, so that who does not know the extension cannot play the sound.
    case explicit
    /// Behind the configuration of the core, where who does not know the extension reads over it.
    case backwardCompatible
  }

  /// The object type of the core: 2 is AAC-LC.
  public private(set) var objectType = 2
  /// Frames a second of the core.
  public private(set) var hertz = 44_100
  /// The samples in a frame of the core; 0 where the packets tell.
  public private(set) var channelCount = 2
  /// Frames of the core in a packet: 1024 or 960.
  public private(set) var framesPerPacket = 1024
  /// Whether the upper half of the spectrum is replicated.
  public private(set) var bandReplication = Presence.unsaid
  /// Whether one channel is spread to two.
  public private(set) var parametricStereo = Presence.unsaid
  /// How these are told of.
  public private(set) var signalling = Signalling.none
  /// Frames a second with replicated bands, twice the core's as a rule.
  public private(set) var extendedHertz: Int
  /// Whether it lists the elements of the channels, in an order that a number of channels does not
  /// imply.
  private(set) var listsElements = false

  /// The rates that an index of four bits stands for.
  static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// The numbers that stand for channels.
  static let configurations = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 7]

  /// Creates the configuration of AAC-LC without a word of extensions.
  ///
  /// - Parameters:
  ///   - hertz: frames a second, 1…16777215.
  ///   - channelCount: the samples in a frame, 1…6 or 8.
  public init(hertz: Int, channelCount: Int) {
    self.hertz = hertz
    self.channelCount = channelCount
    extendedHertz = hertz * 2
  }

  /// Reads a configuration; nil where it breaks off, or names no rate or kind that there is.
  public init?(_ bytes: [UInt8]) {
    extendedHertz = 0
    var bits = BitReader(bytes)
    guard parse(&bits) != nil, hertz > 0, extendedHertz > 0 else { return nil }
  }

  private mutating func parse(_ bits: inout BitReader) -> Void? {
    guard var type = Self.objectType(&bits), let rate = Self.rate(&bits),
      let configuration = bits.read(4)
    else { return nil }
    (hertz, extendedHertz) = (rate, rate * 2)
    guard let count = Self.channelCount(configuration) else { return nil }
    channelCount = count
    if type == 5 || type == 29 {
      (signalling, bandReplication) = (.explicit, .present)
      if type == 29 { parametricStereo = .present }
      guard let extended = Self.rate(&bits), let core = Self.objectType(&bits) else { return nil }
      (extendedHertz, type) = (extended, core)
    }
    objectType = type
    guard [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(type) else { return () }
    guard parseCore(&bits, needsElements: configuration == 0) != nil else { return nil }
    // Error protection follows there, and no word of extensions.
    if type < 17, signalling == .none { parseExtensions(&bits) }
    return ()
  }

  private mutating func parseCore(_ bits: inout BitReader, needsElements: Bool) -> Void? {
    guard let isShort = bits.flag(), let dependsOnCore = bits.flag() else { return nil }
    framesPerPacket = isShort ? 960 : 1024
    if dependsOnCore, bits.skip(14) == nil { return nil }
    guard bits.flag() != nil else { return nil }
    if needsElements {
      guard let count = Self.elements(&bits) else { return nil }
      (channelCount, listsElements) = (count, true)
    }
    if objectType == 6 || objectType == 20 { return bits.skip(3) }
    return ()
  }

  private mutating func parseExtensions(_ bits: inout BitReader) {
    guard bits.read(11) == 0x2B7, Self.objectType(&bits) == 5, let isThere = bits.flag() else {
      return
    }
    (signalling, bandReplication) = (.backwardCompatible, isThere ? .present : .absent)
    guard isThere, let rate = Self.rate(&bits) else { return }
    extendedHertz = rate
    guard bits.read(11) == 0x548, let isSpread = bits.flag() else { return }
    parametricStereo = isSpread ? .present : .absent
  }

  private static func objectType(_ bits: inout BitReader) -> Int? {
    guard let type = bits.read(5) else { return nil }
    return type == 31 ? bits.read(6).map { 32 + $0 } : type
  }

  private static func rate(_ bits: inout BitReader) -> Int? {
    guard let index = bits.read(4) else { return nil }
    if index == 15 { return bits.read(24) }
    return rates.indices.contains(index) ? rates[index] : nil
  }

  static func channelCount(_ configuration: Int) -> Int? {
    switch configuration {
    case 0...6: configuration
    case 7, 12, 14: 8
    case 11: 7
    default: nil
    }
  }

  /// The channels of a program config element (4.4.1.1).
  private static func elements(_ bits: inout BitReader) -> Int? {
    guard bits.skip(10) != nil, let front = bits.read(4), let side = bits.read(4),
      let back = bits.read(4), let low = bits.read(2), let associated = bits.read(3),
      let coupled = bits.read(4)
    else { return nil }
    for width in [4, 4, 3] {
      guard let isThere = bits.flag() else { return nil }
      if isThere, bits.skip(width) == nil { return nil }
    }
    var count = low
    for _ in 0..<front + side + back {
      guard let isPair = bits.flag(), bits.skip(4) != nil else { return nil }
      count += isPair ? 2 : 1
    }
    guard bits.skip(4 * low + 4 * associated + 5 * coupled) != nil else { return nil }
    bits.align()
    guard let comment = bits.read(8), bits.skip(8 * comment) != nil else { return nil }
    return count
  }
}

extension AudioSpecificConfig {
  /// The ways in which the packets can be decoded, the richest first, as far as the configuration
  /// tells.
  ///
  /// Implicit extensions are not among them: only the first packet shows those.
  public var layers: [SoundLayer] {
    var layers = [
      SoundLayer(
        codec: .aac, hertz: hertz, channelCount: channelCount, framesPerPacket: framesPerPacket)
    ]
    guard bandReplication == .present else { return layers }
    let frames = framesPerPacket * extendedHertz / hertz
    let extended = { (codec: SoundCodec, count: Int) in
      SoundLayer(
        codec: codec, hertz: extendedHertz, channelCount: count, framesPerPacket: frames)
    }
    layers.insert(extended(.aacHE, channelCount), at: 0)
    if parametricStereo == .present, channelCount == 1 {
      layers.insert(extended(.aacHEv2, 2), at: 0)
    }
    return layers
  }

  /// The layers as above, with the implicit extensions that a decoder has found in the packets.
  ///
  /// - Parameters:
  ///   - hertz: frames a second of the decoded sound.
  ///   - channelCount: its channels.
  /// - Returns: the layers, the richest first.
  func layers(found hertz: Int, channelCount: Int) -> [SoundLayer] {
    var said = self
    if self.channelCount == 0 { said.channelCount = channelCount }
    if bandReplication == .unsaid, hertz == self.hertz * 2 {
      (said.bandReplication, said.extendedHertz) = (.present, hertz)
    }
    if said.bandReplication == .present, hertz == said.extendedHertz, parametricStereo == .unsaid,
      self.channelCount == 1, channelCount == 2
    {
      said.parametricStereo = .present
    }
    return said.layers
  }

  /// The bytes that have a decoder take the packets as a layer, whatever else they hold.
  ///
  /// The extensions are spoken of behind the core, where they are there and where they are not.
  func bytes(for codec: SoundCodec) -> [UInt8]? {
    guard objectType < 17, let configuration = Self.configurations[channelCount] else { return nil }
    var bits = BitWriter()
    bits.write(objectType, 5)
    Self.write(hertz, &bits)
    bits.write(configuration, 4)
    bits.write(framesPerPacket == 960 ? 1 : 0, 1)
    bits.write(0, 2)
    bits.write(0x2B7, 11)
    bits.write(5, 5)
    bits.write(codec == .aac ? 0 : 1, 1)
    guard codec != .aac else { return bits.bytes }
    Self.write(extendedHertz, &bits)
    bits.write(0x548, 11)
    bits.write(codec == .aacHEv2 ? 1 : 0, 1)
    return bits.bytes
  }

  private static func write(_ hertz: Int, _ bits: inout BitWriter) {
    if let index = rates.firstIndex(of: hertz) { return bits.write(index, 4) }
    bits.write(15, 4)
    bits.write(hertz, 24)
  }
}
