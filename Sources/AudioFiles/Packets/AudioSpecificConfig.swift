// SPDX-License-Identifier: Apache-2.0

/// The configuration that an AAC decoder needs before the first packet.
///
/// Source: ISO/IEC 14496-3, 1.6.2.1 (AudioSpecificConfig), 4.4.1 (GASpecificConfig), 1.6.5 and
/// 1.6.6 (signalling of SBR and PS).
public struct AudioSpecificConfig: Hashable, Sendable {
  /// The presence of an extension in the packets.
  public enum Presence: Hashable, Sendable {
    /// The configuration does not state if the packets use the extension; only the packets show
    /// this.
    case unsaid
    /// The configuration states that the packets do not use the extension.
    case absent
    /// The configuration states that the packets use the extension.
    case present
  }

  /// The way in which the configuration states extensions.
  public enum Signalling: Hashable, Sendable {
    /// The configuration does not state extensions.
    case none
    /// The extensions are stated by the audio object type.
    ///
    /// Decoders that do not support them cannot play the sound.
    case explicit
    /// The extensions are stated after the configuration of the core.
    ///
    /// Decoders that do not support them ignore that part, and play only the core.
    case backwardCompatible
  }

  /// The MPEG-4 audio object type of the core, which is the sound without extensions; 2 is AAC-LC.
  public private(set) var objectType = 2
  /// The sample rate of the core, in hertz.
  public private(set) var hertz = 44_100
  /// The number of channels of the core; 0 if only the packets state it.
  public private(set) var channelCount = 2
  /// The number of frames of the core in a packet: 1024 or 960.
  public private(set) var framesPerPacket = 1024
  /// The presence of spectral band replication (SBR), which restores the upper half of the
  /// spectrum.
  public private(set) var bandReplication = Presence.unsaid
  /// The presence of parametric stereo (PS), which derives two channels from one.
  public private(set) var parametricStereo = Presence.unsaid
  /// The way in which the extensions are stated.
  public private(set) var signalling = Signalling.none
  /// The sample rate with SBR in hertz, usually twice that of the core.
  public private(set) var extendedHertz: Int
  /// True if the configuration lists the elements of the channels, in an order that the number of
  /// channels does not determine.
  private(set) var listsElements = false

  /// The rates by their index of four bits.
  static let rates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// The channel configurations by number of channels.
  static let configurations = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 7]

  /// Creates the configuration of AAC-LC, which does not state extensions.
  ///
  /// - Parameters:
  ///   - hertz: The sample rate in hertz, 1…16,777,215.
  ///   - channelCount: The number of channels, 1…6 or 8.
  public init(hertz: Int, channelCount: Int) {
    self.hertz = hertz
    self.channelCount = channelCount
    extendedHertz = hertz * 2
  }

  /// Reads a configuration; nil if the bytes are truncated, or contain an invalid rate or object
  /// type.
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
    // Error protection follows in other types, and extensions are not stated there.
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

  /// The number of channels in a program config element (4.4.1.1).
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
  /// The layers that the configuration states, best first.
  ///
  /// Extensions that only the packets show are not included.
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

  /// The layers, including extensions that a decoder has found in the packets.
  ///
  /// - Parameters:
  ///   - hertz: The sample rate of the decoded sound, in hertz.
  ///   - channelCount: Channels of the decoded sound.
  /// - Returns: The layers, best first.
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

  /// A configuration with which a decoder decodes the packets as the layer of `codec`; nil if there
  /// is none.
  ///
  /// It states the presence or absence of both extensions after the core.
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
