// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Decodes the packets of a `SoundStream` to samples, as they come.
///
/// What an encoder put before the sound and behind it is left out. A packet that cannot be decoded is
/// silent, so that all others stay where they belong; behind a discontinuity the decoder begins anew.
/// Where the stream goes on in another format, the sound does so too, or, with a client's rate and
/// channels, stays as it is. The samples are those that a `SoundFileReader` finds in the same bytes
/// through FFmpeg.
///
/// ```swift
/// var stream = SoundStream()
/// var decoder: StreamDecoder?
/// stream.append(bytes)
/// for packet in stream.takePackets() {
///   if decoder == nil, let properties = stream.properties {
///     decoder = try StreamDecoder(properties)
///   }
///   for sound in try decoder?.decode(packet) ?? [] { print(sound.frameCount, sound.rate) }
/// }
/// ```
///
/// - Note: Not real-time safe. One thread at a time.
public final class StreamDecoder {
  /// Frames that were decoded.
  public struct Sound: Hashable, Sendable {
    /// Interleaved samples, full scale at ±1.
    public let samples: [Float]
    /// Frames a second.
    public let rate: SampleRate
    /// The samples in a frame.
    public let channelCount: Int

    /// The frames in it.
    public var frameCount: Int { samples.count / channelCount }
  }

  /// What messages call the stream.
  public let name: String
  /// What the packets are decoded as by now; nil before the first that gives sound.
  public private(set) var layer: SoundLayer?
  /// Packets that could not be decoded, and are silent.
  public private(set) var failureCount = 0

  private let wanted: SoundCodec?
  private let client: ClientFormat
  private var decoding: PacketDecoding
  private var properties: SoundStream.Properties
  private var shape: DecoderHandle.Shape?
  private var conversion: ClientConversion?
  /// The number of the next decoded frame, those that are not sound counted.
  private var place: Int64 = 0
  /// Frames that are kept back, since the end may follow them: interleaved.
  private var tail: [Double] = []

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - properties: what is known of the stream, once its first packet is.
  ///   - layer: the codec of one of its layers, as which its packets are decoded; nil for the
  ///     richest.
  ///   - client: the form of the samples; the stream's own by default.
  ///   - name: what messages call the stream.
  /// - Throws: `SoundFileError.codecsMissing` without FFmpeg, `.notSoundFile` where it has no
  ///   decoder.
  public init(
    _ properties: SoundStream.Properties, layer: SoundCodec? = nil,
    client: ClientFormat = ClientFormat(), name: String = "stream"
  ) throws(SoundFileError) {
    decoding = try Self.open(properties, layer, name)
    (self.properties, wanted, self.client, self.name) = (properties, layer, client, name)
  }

  /// Decodes a packet.
  ///
  /// - Parameter packet: the next one, as `SoundStream.takePackets` hands it out.
  /// - Returns: what is ready, in order: nothing, or one part as a rule.
  /// - Throws: `SoundFileError` where the stream goes on in a format that has no decoder, or whose
  ///   rate cannot be converted.
  /// - Complexity: O(n) in the number of samples.
  public func decode(_ packet: SoundStream.Packet) throws(SoundFileError) -> [Sound] {
    var ready: [Sound] = []
    if let new = packet.newProperties {
      ready += endFormat()
      (properties, layer) = (new, nil)
    }
    if packet.isDiscontinuous || packet.newProperties != nil {
      decoding = try Self.open(properties, wanted, name)
      place = counted(packet.firstFrame)
    }
    let isTaken = decoding.send(packet.bytes)
    let count = place
    ready += try receive(before: packet)
    if !isTaken || place == count { failureCount += 1 }
    try fillUp(behind: packet, &ready)
    return ready
  }

  /// Says that no packet follows.
  ///
  /// - Returns: what was kept back, without what is not sound.
  public func finish() -> [Sound] {
    tail.removeAll()
    conversion?.finish()
    return take()
  }

  private static func open(
    _ properties: SoundStream.Properties, _ layer: SoundCodec?, _ name: String
  ) throws(SoundFileError) -> PacketDecoding {
    let first = properties.layers[0]
    let cookie = properties.magicCookie
    let config = cookie.isEmpty ? nil : AudioSpecificConfig(cookie)
    return try PacketDecoding(
      layer ?? first.codec, cookie: layer.flatMap { config?.bytes(for: $0) } ?? cookie,
      hertz: first.hertz, channelCount: first.channelCount, path: name)
  }
}

extension StreamDecoder {
  /// Takes what the decoder gives.
  private func receive(before packet: SoundStream.Packet) throws(SoundFileError) -> [Sound] {
    var ready: [Sound] = []
    while let frames = decoding.receive(Double.self) {
      let found = frames.shape
      if shape?.hertz != found.hertz || shape?.channelCount != found.channelCount || layer == nil {
        ready += endFormat()
        try begin(found, frames.rate, at: packet)
      }
      ready += add(frames.samples)
    }
    return ready
  }

  /// Begins sound of another rate or other channels.
  private func begin(
    _ found: DecoderHandle.Shape, _ rate: SampleRate, at packet: SoundStream.Packet
  ) throws(SoundFileError) {
    shape = found
    let layout = ChannelLayout(mask: found.mask, channelCount: found.channelCount)
    conversion = try ClientConversion(client, rate: rate, layout: layout)
    place = counted(packet.firstFrame)
    let first = properties.layers[0]
    let own = AudioSpecificConfig(properties.magicCookie)?
      .layers(found: found.hertz, channelCount: found.channelCount).first
    layer = SoundLayer(
      codec: wanted ?? own?.codec ?? first.codec, hertz: found.hertz,
      channelCount: found.channelCount,
      framesPerPacket: Int(counted(Int64(properties.framesPerPacket))))
  }

  /// What a packet did not give is silent.
  private func fillUp(
    behind packet: SoundStream.Packet, _ ready: inout [Sound]
  ) throws(SoundFileError) {
    guard let shape, layer != nil else { return }
    let missing = counted(packet.firstFrame + Int64(packet.frameCount)) - place
    // More than that is no fault of a packet's.
    guard missing > 0, missing <= 1 << 16 else { return }
    ready += add(Array(repeating: 0, count: Int(missing) * shape.channelCount))
  }

  /// A number of frames as they are decoded: with replicated bands twice as many as are counted.
  private func counted(_ frames: Int64) -> Int64 {
    guard let shape,
      let scale = FrameScale(decodedHertz: shape.hertz, countedHertz: properties.hertz)
    else { return frames }
    return scale.decoded(frames)
  }

  /// Takes decoded samples, without those that are not sound.
  private func add(_ samples: [Double]) -> [Sound] {
    guard let shape else { return [] }
    let channels = shape.channelCount
    let frames = Int64(samples.count / channels)
    let unheard = min(frames, max(0, counted(Int64(properties.primingFrameCount)) - place))
    place += frames
    tail += samples.dropFirst(Int(unheard) * channels)
    let kept = Int(counted(Int64(properties.remainderFrameCount))) * channels
    guard tail.count > kept else { return [] }
    return handOn(tail.count - kept)
  }

  private func handOn(_ count: Int) -> [Sound] {
    conversion?.add(Array(tail.prefix(count)))
    tail.removeFirst(count)
    return take()
  }

  /// Ends sound of one rate: what is kept back belongs to it, since the end does not follow.
  private func endFormat() -> [Sound] {
    let ready = handOn(tail.count)
    conversion?.finish()
    let rest = take()
    conversion = nil
    return ready + rest
  }

  /// Takes what is ready in the client's form.
  private func take() -> [Sound] {
    guard let count = conversion?.readyCount, count > 0,
      let samples = conversion?.take(count).map({ Float($0) }), let conversion
    else { return [] }
    return [
      Sound(samples: samples, rate: conversion.rate, channelCount: conversion.channelCount)
    ]
  }
}
