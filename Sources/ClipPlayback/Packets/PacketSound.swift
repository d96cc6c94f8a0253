// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// The way from packets to the samples of a queue.
///
/// - Note: one thread at a time.
final class PacketSound {
  private let layer: SoundLayer
  private let form: SoundConverter.Form
  private let decoder: PacketDecoder
  private var converter: SoundConverter
  /// What packets decode to; nil until one has told.
  private var shape: SoundConverter.Form?
  /// The frames of a packet; 0 where that is not known.
  private var packetFrames: Int
  private var pushedFrames = 0
  private var takenFrames = 0
  /// Whether what follows has nothing to do with what was before it.
  private var isOver = false

  init(
    _ layer: SoundLayer, _ magicCookie: [UInt8], to form: SoundConverter.Form
  ) throws(SoundFileError) {
    guard let rate = SampleRate(hertz: layer.hertz) else {
      throw .impossibleShape(
        path: "packets", channelCount: layer.channelCount, hertz: layer.hertz)
    }
    (self.layer, self.form, packetFrames) = (layer, form, layer.framesPerPacket)
    decoder = try PacketDecoder(layer, magicCookie: magicCookie)
    converter = try SoundConverter(
      from: SoundConverter.Form(rate: rate, layout: .usual(channelCount: layer.channelCount)),
      to: form)
  }

  /// The samples in a frame.
  var channelCount: Int { form.channelCount }

  /// The frames that all packets so far give, once the stream is finished.
  var endFrame: Int { converter.frameCount(of: pushedFrames) }

  /// Decodes packets that follow those before.
  ///
  /// - Returns: the places in the list of those that cannot be decoded, and are silent.
  func add(_ list: PacketList) -> [Int] {
    var damaged: [Int] = []
    var samples: [Float] = []
    if isOver, !begin() { return Array(list.packets.indices) }
    for (index, packet) in list.packets.enumerated() {
      if let part = decode(packet) {
        samples += part
      } else {
        damaged.append(index)
        samples += Array(repeating: 0, count: packetFrames * converter.source.channelCount)
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

  /// Takes samples that are ready, interleaved, up to a frame of those that were pushed.
  func take(upTo end: Int) -> [Float] {
    let samples = converter.take(Float.self, frameCount: max(0, end - takenFrames))
    takenFrames += samples.count / channelCount
    return samples
  }

  /// Whether all up to a frame was taken.
  func hasTaken(upTo end: Int) -> Bool { takenFrames >= end }

  /// Ends the stream: all of it can be taken, and what is added after that begins another.
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

  /// Takes packets that decode to something else than was said; false where that is no use.
  private func change(to found: SoundConverter.Form) -> Bool {
    guard pushedFrames == 0 else { return false }
    do {
      converter = try SoundConverter(from: found, to: form)
      return true
    } catch {
      return false
    }
  }

  /// Begins a stream; false where no decoder can be had.
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

  /// Frames of the layer in those that are decoded: with replicated bands that it is silent about
  /// twice as many.
  private func scaled(_ frames: Int) -> Int {
    let hertz = Int(converter.source.rate.hertz)
    return hertz == layer.hertz
      ? frames : Int(clamping: Int128(frames) * Int128(hertz) / Int128(layer.hertz))
  }
}
