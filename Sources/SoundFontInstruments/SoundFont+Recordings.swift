// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import SoundFontFiles

extension SoundFont {
  /// Creates a soundfont in memory whose one preset (bank 0, program 0) plays recordings.
  ///
  /// Recordings whose keys and velocities overlap sound together. Samples are stored with 24 bits.
  ///
  /// - Parameters:
  ///   - name: The name, for messages.
  ///   - recordings: The recordings, 1…16,384, each of at least one frame.
  /// - Throws: `InstrumentError.noRoom` if a soundfont cannot contain the recordings, or if the
  ///   array is empty.
  /// - Complexity: O(n) in the number of samples.
  public init(name: String, recordings: [SoundRecording]) throws(InstrumentError) {
    guard (1...16_384).contains(recordings.count), recordings.allSatisfy({ $0.frameCount > 0 })
    else { throw .noRoom(reason: "\(name): 1 to 16384 recordings, none of them empty, are needed") }
    var document = SoundFontDocument(name: name)
    var zones: [SoundFontDocument.Zone] = []
    for recording in recordings {
      for channel in 0..<recording.channelCount {
        zones.append(recording.zone(channel, sample: UInt16(document.samples.count)))
        document.samples.append(recording.sample(channel, place: document.samples.count))
      }
    }
    document.instruments = [SoundFontDocument.Instrument(name: name, zones: zones)]
    document.presets = [
      SoundFontDocument.Preset(
        name: name, bank: 0, program: 0,
        zones: [SoundFontDocument.Zone(generators: [.instrument(0)])])
    ]
    let bytes: FontBytes
    do {
      bytes = try SoundFontWriter.bytes(of: document)
    } catch {
      throw .noRoom(reason: "\(name): \(error)")
    }
    try self.init(path: name, bytes: bytes)
  }
}

extension SoundRecording {
  /// The frames that loop, within the sound.
  private var held: Range<Int>? {
    guard let loop else { return nil }
    let range = loop.clamped(to: 0..<frameCount)
    return range.isEmpty ? nil : range
  }

  /// The zone of a channel: its keys, its velocities, its side and its loop.
  fileprivate func zone(_ channel: Int, sample: UInt16) -> SoundFontDocument.Zone {
    var generators: [SoundFontDocument.Generator] = [.keys(keys), .velocities(velocities)]
    // 17 is the pan in tenths of a per cent, 54 the mode of the loop.
    if channelCount == 2 { generators.append(.init(kind: 17, value: channel == 0 ? -500 : 500)) }
    if held != nil { generators.append(.init(kind: 54, amount: 1)) }
    return SoundFontDocument.Zone(generators: generators + [.sample(sample)])
  }

  /// The samples of a channel.
  fileprivate func sample(_ channel: Int, place: Int) -> SoundFontDocument.Sample {
    var high: [UInt8] = []
    var low: [UInt8] = []
    high.reserveCapacity(2 * frameCount)
    low.reserveCapacity(frameCount)
    for frame in 0..<frameCount {
      let value = samples[frame * channelCount + channel]
      let scaled = value.isNaN ? 0 : (min(1, max(-1, value)) * 8_388_608).rounded()
      let bits = Int32(min(8_388_607, scaled))
      high += [UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits >> 16)]
      low.append(UInt8(truncatingIfNeeded: bits))
    }
    let data = SoundFontDocument.SampleData(frames: FontBytes(high), lowBytes: FontBytes(low))
    var sample = SoundFontDocument.Sample(
      name: name, data: data, loop: held ?? 0..<frameCount, rate: UInt32(rate.hertz),
      key: min(127, key), correction: Int8(max(-99, min(99, cents))))
    if channelCount == 2 {
      // Left and right name each other.
      (sample.kind, sample.link) = (channel == 0 ? 4 : 2, UInt16(place + (channel == 0 ? 1 : -1)))
    }
    return sample
  }
}
