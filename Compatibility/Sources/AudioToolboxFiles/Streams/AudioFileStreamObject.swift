// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

/// The parser behind an `AudioFileStreamID`.
final class AudioFileStreamObject: @unchecked Sendable {
  private let client: StreamClient
  private let lock = NSLock()
  private var contents = StreamContents()
  private var isParsing = false
  private var isClosed = false
  /// True once the properties were reported.
  private var isReady = false
  /// The position of the bytes that are parsed next, after a seek.
  private var nextOffset: Int64?

  /// The bytes without sound after which a stream is refused.
  private static let patience: Int64 = 1 << 18
  /// The most bytes that a callback receives at once.
  private static let batch = 1 << 20

  init(_ client: StreamClient) { self.client = client }

  /// Parses bytes, and calls the callbacks without the lock.
  func parse(
    _ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool, as stream: AudioFileStreamID
  ) throws(StatusError) {
    let (properties, packets) = try unsafe append(bytes, isDiscontinuous)
    defer { lock.withLock { isParsing = false } }
    for property in properties where !isGone { unsafe client.report(property, of: stream) }
    deliver(packets)
    try lock.withLock { () -> Result<Void, StatusError> in
      if !isReady, isLate {
        return .failure(StatusError(kAudioFileStreamError_NotOptimized))
      }
      let isStray = !isReady && contents.stream.strayByteCount >= Self.patience
      return isStray
        ? .failure(StatusError(kAudioFileStreamError_UnsupportedFileType)) : .success(())
    }.get()
  }

  /// Appends bytes.
  ///
  /// - Returns: the properties to report, and the packets.
  private func append(
    _ bytes: UnsafeRawBufferPointer, _ isDiscontinuous: Bool
  ) throws(StatusError) -> ([AudioFileStreamPropertyID], [SoundStream.Packet]) {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { throw .parameter }
    guard !isParsing else { throw StatusError(kAudioFileStreamError_IllegalOperation) }
    isParsing = true
    if isDiscontinuous, nextOffset == nil { contents.stream.noteDiscontinuity() }
    unsafe contents.append(bytes, at: nextOffset)
    if unsafe !bytes.isEmpty { nextOffset = nil }
    let packets = contents.takePackets()
    guard !isReady, contents.stream.properties != nil, !isLate else { return ([], packets) }
    isReady = true
    return (contents.knownProperties, packets)
  }

  /// True if the index of the packets is behind them.
  private var isLate: Bool {
    contents.stream.needsWholeFile || contents.stream.hasLateIndex
  }

  private var isGone: Bool { lock.withLock { isClosed } }

  /// Passes packets on in batches.
  private func deliver(_ packets: [SoundStream.Packet]) {
    let (frameByteCount, statesFrames) = lock.withLock {
      (contents.frameByteCount, contents.format?.mFramesPerPacket == 0)
    }
    var (rest, size) = ([SoundStream.Packet](), 0)
    for packet in packets {
      rest.append(packet)
      size += packet.bytes.count
      guard size >= Self.batch || rest.count >= 1 << 16 else { continue }
      if isGone { return }
      client.deliver(rest, frameByteCount: frameByteCount, statesFrames: statesFrames)
      (rest, size) = ([], 0)
    }
    guard !rest.isEmpty, !isGone else { return }
    client.deliver(rest, frameByteCount: frameByteCount, statesFrames: statesFrames)
  }

  /// Finds a packet, at which the bytes that are parsed next begin.
  ///
  /// - Returns: its position, counted from the first byte of the sound.
  func seek(to packet: Int64) throws(StatusError) -> (offset: Int64, isEstimated: Bool) {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { throw .parameter }
    guard let properties = contents.stream.properties else {
      throw StatusError(kAudioFileStreamError_DataUnavailable)
    }
    guard let place = contents.place(ofPacket: packet) else {
      throw StatusError(kAudioFileStreamError_InvalidPacketOffset)
    }
    nextOffset = place.offset
    return (place.offset - properties.dataOffset, place.isEstimated)
  }

  /// Ends the parser; no callback begins after this.
  func close() {
    lock.withLock {
      isClosed = true
      contents = StreamContents()
    }
  }

  /// The size of a property in bytes.
  func size(of property: AudioFileStreamPropertyID) throws(StatusError) -> Int {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { throw .parameter }
    if let size = StreamContents.translationSize(of: property) { return size }
    return try contents.value(of: property, isReady: isReady).byteCount
  }

  /// Stores the value of a property.
  func get(
    _ property: AudioFileStreamPropertyID, _ source: PropertySource, _ target: PropertyTarget
  ) throws(StatusError) {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { throw .parameter }
    if StreamContents.translationSize(of: property) != nil {
      return try contents.translate(property, source, target)
    }
    try contents.value(of: property, isReady: isReady).put(target)
  }
}
