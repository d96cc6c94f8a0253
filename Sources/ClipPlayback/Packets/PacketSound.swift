// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// Converts packets to the samples of a queue.
///
/// - Note: Use from one thread at a time.
final class PacketSound {
  private let layer: SoundLayer
  private let form: SoundConverter.Form
  private let decoder: PacketDecoder
  private var converter: SoundConverter
  /// The format of the decoded packets; nil until one is decoded.
  private var shape: SoundConverter.Form?
  /// The number of frames in a packet; 0 if it is unknown.
  private var packetFrames: Int
  private var pushedFrames = 0
  private var takenFrames = 0
  /// True if the next packet starts a new stream.
  private var isOver = false
  /// The most frames that a layer may claim for a packet; a larger claim counts as none.
  private static let longestPacket = 1 << 17
  /// The most samples of silence in a list for packets that cannot be decoded: 16 MiB.
  private static let mostSilence = 1 << 22

  init(
    _ layer: SoundLayer, _ magicCookie: [UInt8], to form: SoundConverter.Form
  ) throws(SoundFileError) {
    guard let rate = SampleRate(hertz: layer.hertz) else {
      throw .impossibleShape(
        path: "packets", channelCount: layer.channelCount, hertz: layer.hertz)
    }
    (self.layer, self.form) = (layer, form)
    let isPlausible = (0...Self.longestPacket).contains(layer.framesPerPacket)
    packetFrames = isPlausible ? layer.framesPerPacket : 0
    decoder = try PacketDecoder(layer, magicCookie: magicCookie)
    converter = try SoundConverter(
      from: SoundConverter.Form(rate: rate, layout: .usual(channelCount: layer.channelCount)),
      to: form)
  }

  /// Samples in a frame.
  var channelCount: Int { form.channelCount }

  /// The number of frames of all packets so far, when the stream is finished.
  var endFrame: Int { converter.frameCount(of: pushedFrames) }

  /// Decodes packets that follow the previous ones.
  ///
  /// - Returns: The indices in the list of packets that could not be decoded and are replaced by
  ///   silence.
  func add(_ list: PacketList) -> [Int] {
    var damaged: [Int] = []
    var samples: [Float] = []
    var silentFrames = 0
    if isOver, !begin() { return Array(list.packets.indices) }
    for (index, packet) in list.packets.enumerated() {
      if let part = decode(packet) {
        samples += part
      } else {
        damaged.append(index)
        let most = Self.mostSilence / converter.source.channelCount
        let frames = min(packetFrames, most - silentFrames)
        silentFrames += frames
        samples += Array(repeating: 0, count: frames * converter.source.channelCount)
      }
    }
    let channels = converter.source.channelCount
    let frames = samples.count / channels
    let start = min(frames, scaled(list.trimStart))
    let end = max(start, frames - scaled(list.trimEnd))
    converter.push(samples.span.extracting(start * channels..<end * channels))
    pushedFrames += end - start
    return damaged
  }

  /// Takes samples that are ready, interleaved, up to a frame.
  func take(upTo end: Int) -> [Float] {
    let samples = converter.take(Float.self, frameCount: max(0, end - takenFrames))
    takenFrames += samples.count / channelCount
    return samples
  }

  /// True if all frames up to a frame were taken.
  func hasTaken(upTo end: Int) -> Bool { takenFrames >= end }

  /// Ends the stream, so that all of it can be taken.
  ///
  /// Later packets start a new stream.
  func finish() {
    converter.finish()
    isOver = true
  }

  private func decode(_ packet: [UInt8]) -> [Float]? {
    let samples = decoder.decode(packet, as: Float.self)
    guard !samples.isEmpty, let rate = decoder.rate, let count = decoder.channelCount else {
      return nil
    }
    let found = SoundConverter.Form(rate: rate, layout: .usual(channelCount: count))
    guard found == converter.source || shape == nil && change(to: found) else { return nil }
    shape = found
    packetFrames = samples.count / count
    return samples
  }

  /// Changes the input format to that of decoded packets; returns false if that is not possible.
  private func change(to found: SoundConverter.Form) -> Bool {
    guard pushedFrames == 0 else { return false }
    do {
      converter = try SoundConverter(from: found, to: form)
      return true
    } catch {
      return false
    }
  }

  /// Starts a stream; returns false if a decoder cannot be opened.
  private func begin() -> Bool {
    do {
      try decoder.reset()
      try converter.reset()
    } catch {
      return false
    }
    (pushedFrames, takenFrames, isOver) = (0, 0, false)
    return true
  }

  /// Converts frames of the layer to decoded frames, which for HE-AAC that is not stated are twice
  /// as many.
  private func scaled(_ frames: Int) -> Int {
    let hertz = Int(converter.source.rate.hertz)
    return hertz == layer.hertz
      ? frames : Int(clamping: Int128(frames) * Int128(hertz) / Int128(layer.hertz))
  }
}
