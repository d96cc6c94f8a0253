// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Decodes the packets of a `SoundStream` to samples as they arrive.
///
/// Frames that are not sound, such as an encoder's priming, are left out. A damaged packet is
/// replaced by silence, so that the following packets keep their positions. The decoder is reset at
/// a discontinuity. If the rate or channels of the stream change, those of the samples also change,
/// unless the client format sets them. The samples equal those of a `SoundFileReader` that decodes
/// the same bytes with FFmpeg.
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
/// - Note: Not real-time safe. Use from one thread at a time.
public final class StreamDecoder {
  /// A part of the decoded sound, with samples in single precision.
  public typealias Sound = Part<Float>

  /// A part of the decoded sound.
  public struct Part<Sample: AudioSample> {
    /// The samples, interleaved; full scale is ±1 for floating point, and the end of the range for
    /// integers.
    public let samples: [Sample]
    /// The sample rate of the part.
    public let rate: SampleRate
    /// The number of channels of the part.
    public let channelCount: Int

    /// The number of frames.
    public var frameCount: Int { samples.count / channelCount }
  }

  /// The name of the stream in messages.
  public let name: String
  /// The layer with which packets are decoded; nil before the first packet with sound.
  public private(set) var layer: SoundLayer?
  /// The number of packets that were replaced by silence because they could not be decoded.
  public private(set) var failureCount = 0

  private let wanted: SoundCodec?
  private let client: ClientFormat
  private var decoding: any SampleDecoding
  private var properties: SoundStream.Properties
  private var shape: DecoderHandle.Shape?
  private var conversion: ClientConversion?
  /// The index of the next decoded frame, including those that are not sound.
  private var place: Int64 = 0
  /// The first frame of the format, in frames of packets.
  private var formatStart: Int64 = 0
  /// The frames that are not sound, in frames of packets.
  private var omitted: [Range<Int64>] = []
  /// Frames that are held back because they could be after the end; interleaved.
  private var tail: [Double] = []

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - properties: The properties of the stream, known from its first packet on.
  ///   - layer: The codec of one of the stream's layers; nil for the best one.
  ///   - client: The sample rate and channels of the decoded samples; by default those of the
  ///     stream.
  ///   - name: The name of the stream in messages.
  /// - Throws: `SoundFileError.codecsMissing` if the codec needs FFmpeg, but FFmpeg is not
  ///   installed; `.notSoundFile` if FFmpeg does not decode the codec; `.impossibleRateChange` or
  ///   `.converterMissing` if samples cannot be converted to the client's rate.
  public init(
    _ properties: SoundStream.Properties, layer: SoundCodec? = nil,
    client: ClientFormat = ClientFormat(), name: String = "stream"
  ) throws(SoundFileError) {
    decoding = try Self.open(properties, layer, name)
    (self.properties, wanted, self.client, self.name) = (properties, layer, client, name)
  }

  /// Loads the libraries that decoders need, so that the first one opens without a delay.
  ///
  /// Loading takes 20 ms or more, once per process. If FFmpeg is not installed, the call does not
  /// have an effect. The method is safe to call from any thread.
  public static func prepare() { FFmpegLibrary.load() }

  /// Decodes a packet to single-precision samples.
  ///
  /// - Parameter packet: The next packet from `SoundStream.takePackets()`.
  /// - Returns: The sound that is ready, in order: usually one part, or none.
  /// - Throws: `SoundFileError` if the stream changes to a format without a decoder, or to a rate
  ///   that cannot be converted.
  /// - Complexity: O(n) in the number of samples.
  public func decode(_ packet: SoundStream.Packet) throws(SoundFileError) -> [Sound] {
    try decode(packet, as: Float.self)
  }

  /// Decodes a packet to samples of a type.
  ///
  /// Integers are exact if the integers of the stream do not have more bits than the type
  /// (`SoundStream.Properties.integerBits`), and the client format does not change the rate or
  /// channels.
  ///
  /// - Parameters:
  ///   - packet: The next packet from `SoundStream.takePackets()`.
  ///   - type: The type of the samples.
  /// - Returns: The sound that is ready, in order: usually one part, or none.
  /// - Throws: The errors of `decode(_:)`.
  /// - Complexity: O(n) in the number of samples.
  public func decode<Sample: AudioSample>(
    _ packet: SoundStream.Packet, as type: Sample.Type
  ) throws(SoundFileError) -> [Part<Sample>] {
    var ready: [Part<Sample>] = []
    if packet.isDiscontinuous || packet.newProperties != nil { ready += drain() }
    if let new = packet.newProperties {
      ready += endFormat()
      (properties, layer, formatStart) = (new, nil, packet.firstFrame)
    }
    if packet.isDiscontinuous || packet.newProperties != nil {
      decoding = try Self.open(properties, wanted, name)
      place = counted(packet.firstFrame)
      omitted.removeAll()
    }
    // A packet that was cut returned more frames than the stream states for it.
    place = min(place, counted(packet.firstFrame))
    omitted += packet.omittedFrames.map {
      packet.firstFrame + Int64($0.lowerBound)..<packet.firstFrame + Int64($0.upperBound)
    }
    let isTaken = decoding.send(packet.bytes)
    let count = place
    ready += try receive(before: packet)
    if !isTaken || place == count, packet.frameCount > 0 { failureCount += 1 }
    try fillUp(behind: packet, isTaken: isTaken, &ready)
    return ready
  }

  /// Ends the stream.
  ///
  /// - Returns: The remaining frames of sound, in single precision.
  public func finish() -> [Sound] { finish(as: Float.self) }

  /// Ends the stream.
  ///
  /// - Parameter type: The type of the samples.
  /// - Returns: The remaining frames of sound.
  public func finish<Sample: AudioSample>(as type: Sample.Type) -> [Part<Sample>] {
    let ready: [Part<Sample>] = drain()
    tail.removeAll()
    conversion?.finish()
    return ready + take()
  }

  private static func open(
    _ properties: SoundStream.Properties, _ layer: SoundCodec?, _ name: String
  ) throws(SoundFileError) -> any SampleDecoding {
    // By default the decoder selects the best layer itself.
    let core = properties.statedLayers[properties.statedLayers.count - 1]
    if let samples = properties.samples { return PCMDecoding(samples, core) }
    let cookie = properties.magicCookie
    return try FFmpegDecoding(
      layer ?? core.codec, cookie: layer.flatMap { config(properties)?.bytes(for: $0) } ?? cookie,
      hertz: core.hertz, channelCount: core.channelCount, path: name)
  }

  /// The configuration of AAC; nil for other codecs.
  private static func config(_ properties: SoundStream.Properties) -> AudioSpecificConfig? {
    guard [.aac, .aacHE, .aacHEv2].contains(properties.statedLayers[0].codec) else { return nil }
    return AudioSpecificConfig(properties.magicCookie)
  }
}

extension StreamDecoder {
  /// Returns the frames that the decoder still holds.
  private func drain<Sample: AudioSample>() -> [Part<Sample>] {
    guard layer != nil else { return [] }
    var ready: [Part<Sample>] = []
    decoding.drain()
    while let frames = decoding.receive() {
      guard frames.shape.hertz == shape?.hertz, frames.shape.channelCount == shape?.channelCount
      else { continue }
      ready += add(frames.samples)
    }
    return ready
  }

  /// Returns the decoder's output.
  private func receive<Sample: AudioSample>(
    before packet: SoundStream.Packet
  ) throws(SoundFileError) -> [Part<Sample>] {
    var ready: [Part<Sample>] = []
    while let frames = decoding.receive() {
      let found = frames.shape
      if shape?.hertz != found.hertz || shape?.channelCount != found.channelCount || layer == nil {
        ready += endFormat()
        try begin(found, frames.rate, at: packet)
      }
      ready += add(frames.samples)
    }
    return ready
  }

  /// Starts sound with another rate or other channels.
  private func begin(
    _ found: DecoderHandle.Shape, _ rate: SampleRate, at packet: SoundStream.Packet
  ) throws(SoundFileError) {
    shape = found
    let layout = ChannelLayout(mask: found.mask, channelCount: found.channelCount)
    conversion = try ClientConversion(client, rate: rate, layout: layout)
    place = counted(packet.firstFrame)
    let own = Self.config(properties)?
      .layers(found: found.hertz, channelCount: found.channelCount).first
    layer = SoundLayer(
      codec: wanted ?? own?.codec ?? properties.layers[0].codec, hertz: found.hertz,
      channelCount: found.channelCount,
      framesPerPacket: Int(counted(Int64(properties.framesPerPacket))))
  }

  /// Replaces missing frames of a packet by silence.
  private func fillUp<Sample: AudioSample>(
    behind packet: SoundStream.Packet, isTaken: Bool, _ ready: inout [Part<Sample>]
  ) throws(SoundFileError) {
    guard let shape, let layer else { return }
    let whole = counted(Int64(packet.frameCount))
    var missing = counted(packet.firstFrame + Int64(packet.frameCount)) - place
    // FFmpeg's decoder of Opus returns some frames of a packet with a later one.
    if layer.codec == .opus { missing = isTaken ? 0 : min(whole, missing) }
    // A larger number is not the result of one damaged packet.
    guard missing > 0, missing <= 1 << 16 else { return }
    ready += add(Array(repeating: 0, count: Int(missing) * shape.channelCount))
  }

  /// Converts a number of frames of packets to decoded frames, which for HE-AAC can be twice as
  /// many.
  private func counted(_ frames: Int64) -> Int64 {
    guard let shape,
      let scale = FrameScale(decodedHertz: shape.hertz, countedHertz: properties.hertz)
    else { return frames }
    return scale.decoded(frames)
  }

  /// Adds decoded samples, without those that are not sound.
  private func add<Sample: AudioSample>(_ samples: [Double]) -> [Part<Sample>] {
    guard let shape else { return [] }
    let channels = shape.channelCount
    let all = place..<place + Int64(samples.count / channels)
    place = all.upperBound
    let priming = counted(formatStart + Int64(properties.primingFrameCount))
    for part in Self.parts(of: all, from: priming, without: omitted.map(decoded)) {
      let frames = Int(part.lowerBound - all.lowerBound)..<Int(part.upperBound - all.lowerBound)
      tail += samples[frames.lowerBound * channels..<frames.upperBound * channels]
    }
    omitted.removeAll { decoded($0).upperBound <= place }
    let kept = Int(counted(Int64(properties.remainderFrameCount))) * channels
    guard tail.count > kept else { return [] }
    return handOn(tail.count - kept)
  }

  private func decoded(_ frames: Range<Int64>) -> Range<Int64> {
    counted(frames.lowerBound)..<counted(frames.upperBound)
  }

  /// The parts of a range from `start` on that are outside of the omitted ranges, which are in
  /// order.
  private static func parts(
    of all: Range<Int64>, from start: Int64, without omitted: [Range<Int64>]
  ) -> [Range<Int64>] {
    var parts: [Range<Int64>] = []
    var place = min(max(all.lowerBound, start), all.upperBound)
    for range in omitted where range.upperBound > place {
      let end = min(max(place, range.lowerBound), all.upperBound)
      if end > place { parts.append(place..<end) }
      place = min(range.upperBound, all.upperBound)
    }
    if place < all.upperBound { parts.append(place..<all.upperBound) }
    return parts
  }

  private func handOn<Sample: AudioSample>(_ count: Int) -> [Part<Sample>] {
    if let conversion, conversion.isIdentity {
      defer { tail.removeFirst(count) }
      return count == 0
        ? []
        : [
          Part(
            samples: Sample.nearest(to: tail.prefix(count)), rate: conversion.rate,
            channelCount: conversion.channelCount)
        ]
    }
    conversion?.add(Array(tail.prefix(count)))
    tail.removeFirst(count)
    return take()
  }

  /// Ends sound of one rate.
  ///
  /// The frames that were held back are part of it, because the end does not follow.
  private func endFormat<Sample: AudioSample>() -> [Part<Sample>] {
    let ready: [Part<Sample>] = handOn(tail.count)
    conversion?.finish()
    let rest: [Part<Sample>] = take()
    conversion = nil
    return ready + rest
  }

  /// Returns the samples that are ready in the client's form.
  private func take<Sample: AudioSample>() -> [Part<Sample>] {
    guard let count = conversion?.readyCount, count > 0,
      let values = conversion?.take(count), let conversion
    else { return [] }
    return [
      Part(
        samples: Sample.nearest(to: values), rate: conversion.rate,
        channelCount: conversion.channelCount)
    ]
  }
}

extension StreamDecoder.Part: Equatable where Sample: Equatable {}
extension StreamDecoder.Part: Hashable where Sample: Hashable {}
extension StreamDecoder.Part: Sendable {}
