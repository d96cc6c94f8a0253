// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import MusicalTime

/// Decodes the packets of a stream, and adds the samples to a queue.
///
/// - Note: Use from one task.
final class PacketIntake {
  /// The number of packets that must be decoded before a position for exact samples.
  private static let preroll = 10

  /// The packets that have been found.
  private(set) var stream = SoundStream()
  /// Packets that were taken from the stream but not decoded.
  private var early: [SoundStream.Packet] = []
  private let item: Int
  private let name: String
  private let feed: QueueFeed
  private var decoder: StreamDecoder?
  /// The number of frames of the queue to leave out.
  private var omittedFrames: Int64 = 0
  /// The frame of sound at which to start after a seek, at the stream's rate.
  private var target: Int64?
  private var layer: SoundLayer?
  private var tagTitle: StreamTitle?

  init(item: Int, name: String, feed: QueueFeed) {
    (self.item, self.name, self.feed) = (item, name, feed)
    stream.takesOtherFormats = true
  }

  /// Adds an event of a transfer.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - isPlaced: True if positions refer to one file, false if they refer to consecutive parts.
  func append(_ event: HTTPSource.Event, isPlaced: Bool) {
    guard case .bytes(let bytes, _) = event, !isPlaced else { return stream.append(event) }
    stream.append(bytes)
  }

  /// Reads the sound of a short MP4 file again if its index followed it in the same bytes.
  ///
  /// - Parameter all: The bytes of the stream so far.
  func readAgain(_ all: [UInt8]) {
    early = stream.takePackets()
    guard early.isEmpty, stream.properties?.kind == .mp4, let place = stream.seek(toPacket: 0),
      place.offset < Int64(all.count)
    else { return }
    stream.append(all[Int(place.offset)...], at: place.offset)
  }

  /// Starts another encoding, after decoding the previous sound to its end.
  func renew(bitrate: Int?) async throws {
    try await finish(bitrate: bitrate)
    stream = SoundStream()
    stream.takesOtherFormats = true
    decoder = nil
  }

  /// Leaves out the next frames of the queue.
  func omit(frames: Int64) { omittedFrames = frames }

  /// The position from which to read, so that the sound starts at a time.
  ///
  /// - Parameter seconds: The time in the sound.
  /// - Returns: Nil if the stream must be read from its start.
  func seek(to seconds: Double) -> Int64? {
    guard let properties = stream.properties else { return nil }
    let frame = Int64((seconds * Double(properties.hertz)).rounded())
    let lead = Int64(Self.preroll * max(1, properties.framesPerPacket))
    let decoded = frame + Int64(properties.primingFrameCount)
    guard let place = stream.seek(toFrame: max(0, decoded - lead)) else { return nil }
    // Fragments of MP4 can only be found at known positions.
    guard properties.kind != .mp4 || !place.isEstimated else { return nil }
    _ = stream.takePackets()
    early = []
    target = frame
    return place.offset
  }

  /// Decodes the complete packets, and returns their number.
  @discardableResult
  func decode(bitrate: Int?) async throws -> Int {
    let packets = early + stream.takePackets()
    early = []
    for packet in packets {
      guard let properties = stream.properties else { break }
      try open(properties)
      locate(packet, properties)
      note(packet.newTags)
      let sounds = try decoder?.decode(packet) ?? []
      noteLayer(bitrate)
      for sound in sounds { try await add(sound.samples) }
    }
    return packets.count
  }

  /// Decodes the remaining packets.
  func finish(bitrate: Int?) async throws {
    stream.finish()
    try await decode(bitrate: bitrate)
    for sound in decoder?.finish() ?? [] { try await add(sound.samples) }
  }

  private func open(_ properties: SoundStream.Properties) throws {
    guard decoder == nil else { return }
    decoder = try StreamDecoder(
      properties, client: ClientFormat(rate: feed.rate, channelCount: 2, quality: .high),
      name: name)
  }

  /// After a seek, leaves out the frames before the target.
  private func locate(_ packet: SoundStream.Packet, _ properties: SoundStream.Properties) {
    guard let frame = target else { return }
    target = nil
    let first = max(0, packet.firstFrame - Int64(properties.primingFrameCount))
    let seconds = Double(max(0, frame - first)) / Double(properties.hertz)
    omittedFrames = Int64((seconds * Double(feed.rate.hertz)).rounded())
  }

  private func noteLayer(_ bitrate: Int?) {
    guard let new = decoder?.layer, new != layer else { return }
    layer = new
    feed.note(.playing(item: item, new, bitrate: bitrate ?? statedBitrate))
  }

  /// The bitrate that the stream states, otherwise that of the packets so far.
  private var statedBitrate: Int? {
    let counted = Int(stream.bitrate.bitsPerSecond.rounded())
    return stream.properties?.nominalBitrate ?? (counted > 0 ? counted : nil)
  }

  private func note(_ tags: [SoundFileMetadata.Tag: String]?) {
    guard let tags, let title = StreamTitle(tags), title != tagTitle else { return }
    tagTitle = title
    feed.note(.title(item: item, title))
  }

  /// Adds samples to the queue, without those to leave out.
  private func add(_ samples: [Float]) async throws {
    let count = min(omittedFrames, Int64(samples.count / 2))
    omittedFrames -= count
    let audible = count == 0 ? samples : Array(samples.dropFirst(2 * Int(count)))
    if !audible.isEmpty { try await feed.add(audible, of: item) }
  }

  /// Adds silence.
  func addSilence(seconds: Double) async throws {
    var left = Int(min(1e9, max(0, seconds * Double(feed.rate.hertz))))
    while left > 0 {
      let count = min(left, 4096)
      try await add(Array(repeating: 0, count: 2 * count))
      left -= count
    }
  }
}
