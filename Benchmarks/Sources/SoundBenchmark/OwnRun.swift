// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import ClipPlayback
import MusicalTime

/// The work of `AppleRun` by the modules beneath, and the two ways through a converter.
enum OwnRun {
  /// Renders all packets of an encoded file with a packet queue, half a second at a time.
  ///
  /// - Returns: the number of frames.
  static func packets(_ path: String) throws -> Int {
    let reader = try PacketReader(path: path)
    guard let layer = reader.formats.first else { return 0 }
    let queue = try PacketQueue(layer, magicCookie: reader.magicCookie)
    let step = max(1, layer.hertz / 2 / max(1, layer.framesPerPacket))
    for first in stride(from: 0, to: reader.table.packets.count, by: step) {
      let numbers = first..<min(first + step, reader.table.packets.count)
      try queue.enqueue(numbers.compactMap { reader.packet($0) })
    }
    queue.finish()
    _ = queue.prime()
    return Int(try queue.unit.renderOffline { _ in _ = queue.prime() }.frames)
  }

  /// Renders all samples of a file with a sound queue, half a second at a time in three buffers.
  ///
  /// - Returns: the number of frames.
  static func samples(_ path: String) throws -> Int {
    let feed = BufferFeed(try SoundFileReader(path: path))
    for _ in 0..<3 { feed.enqueue() }
    return Int(try feed.queue.renderOffline { _ in }.frames)
  }

  /// A file whose samples are given to a sound queue.
  private final class BufferFeed: @unchecked Sendable {
    // Unchecked: completions run on the thread that renders.
    let queue: SoundQueue
    private let reader: SoundFileReader

    init(_ reader: SoundFileReader) {
      self.reader = reader
      queue = SoundQueue(channelCount: reader.channelCount, rate: reader.rate)
    }

    /// Enqueues the next half second, and after its end another.
    func enqueue() {
      let samples = reader.read(frameCount: Int(reader.rate.hertz) / 2)
      guard !samples.isEmpty else { return }
      let buffer = SoundBuffer(interleaved: samples, channelCount: reader.channelCount)
      do {
        try queue.enqueue(buffer) { [weak self] _ in self?.enqueue() }
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  /// Converts a file to 48 kHz, pushed or pulled 512 frames at a time.
  ///
  /// - Returns: the number of frames.
  static func convert(_ path: String, pulled: Bool) throws -> Int {
    let reader = try SoundFileReader(path: path)
    let layout = ChannelLayout.usual(channelCount: reader.channelCount)
    let converter = try SoundConverter(
      from: .init(rate: reader.rate, layout: layout), to: .init(rate: .hertz48000, layout: layout))
    var total = 0
    while pulled {
      let samples = converter.pull(Float.self, frameCount: 512) { reader.read(frameCount: $0) }
      guard !samples.isEmpty else { return total }
      total += samples.count / reader.channelCount
    }
    while true {
      let samples = reader.read(frameCount: 512)
      if samples.isEmpty { converter.finish() } else { converter.push(samples.span) }
      total += converter.take(Float.self, frameCount: .max).count / reader.channelCount
      if samples.isEmpty { return total }
    }
  }
}
