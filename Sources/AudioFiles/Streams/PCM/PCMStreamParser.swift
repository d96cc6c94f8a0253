// SPDX-License-Identifier: Apache-2.0

/// Divides the samples of WAVE, AIFF, AU and CAF into packets.
///
/// If the container does not state the size of the samples, as in a pipe, they extend to the end of
/// the bytes. All packets but the last have the same number of frames.
struct PCMStreamParser: StreamParsing {
  private enum State {
    /// A container must start here.
    case start
    case head(PCMHead)
    case samples
    /// The samples end here; another container can start.
    case end
    /// All bytes are skipped; they are stray if the container is not supported.
    case skipping(isStray: Bool)
  }

  /// The number of bytes after which a container is assumed to be PCM, if its format is still
  /// unknown.
  private static let patience = 12 << 10

  private var window: ByteWindow
  private var state = State.start
  private var sound: PCMHead.Sound?
  /// The position of the first sample.
  private var dataOffset: Int64 = 0
  /// The number of remaining bytes of samples; nil if it is unknown.
  private var left: Int64?
  /// The index of the next frame after the container's header.
  private var frame: Int64 = 0
  /// The index of the container's first frame and packet in the stream.
  private var base: (frame: Int64, packet: Int) = (0, 0)
  /// True if the next bytes can be the header of another container.
  private var mayRestart = false

  init(at offset: Int64) { window = ByteWindow(at: offset) }

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
    var window = ByteWindow(at: 0)
    // The decision is the same for longer pieces.
    window.append(Array(beginning.prefix(patience)))
    var head = PCMHead()
    switch head.read(&window) {
    case .sound: return true
    case .unsuitable: return false
    case .needsMore: return isWhole ? false : beginning.count >= patience ? true : nil
    }
  }

  var endOffset: Int64 { window.endOffset }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    ledger.keepsPlaces = false
    window.append(bytes)
    parse(&ledger)
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) {
    window.move(to: offset)
    mayRestart = false
    guard let sound else {
      state = .start
      return
    }
    let size = Int64(sound.format.frameByteCount)
    let distance = max(0, offset - dataOffset).quotientAndRemainder(dividingBy: size)
    frame = distance.quotient + (distance.remainder > 0 ? 1 : 0)
    window.drop(offset < dataOffset ? dataOffset - offset : (size - distance.remainder) % size)
    let (passed, overflows) = frame.multipliedReportingOverflow(by: size)
    left = sound.byteCount.map { overflows ? 0 : max(0, $0 - passed) }
    state = left == 0 ? .end : .samples
    guard frame <= PacketLedger.mostFrames else { return }
    ledger.locate(
      packet: base.packet + Int(frame) / sound.format.framesPerPacket, frame: base.frame + frame,
      isEstimated: false)
  }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) {
    window.clear()
    (left, mayRestart) = (nil, true)
    state = sound == nil ? .start : .samples
  }

  mutating func finish(_ ledger: inout PacketLedger) {
    parse(&ledger)
    ledger.strayByteCount += Int64(window.count)
    window.drop(window.count)
  }

  mutating func pass() -> Int64 { window.pass() }
}

extension PCMStreamParser {
  private mutating func parse(_ ledger: inout PacketLedger) {
    while window.count > 0, step(&ledger) {}
  }

  /// Parses one unit; returns false if more bytes are needed.
  private mutating func step(_ ledger: inout PacketLedger) -> Bool {
    switch state {
    case .start: state = .head(PCMHead())
    case .head(var head):
      state = .start
      return read(&head, &ledger)
    case .samples:
      guard mayRestart else { return readSamples(&ledger) }
      guard let isHead = isHead(ledger) else { return false }
      mayRestart = false
      if isHead { state = .start }
    case .end:
      guard let isHead = isHead(ledger) else { return false }
      state = isHead ? .start : .skipping(isStray: false)
    case .skipping(let isStray):
      if isStray { ledger.strayByteCount += Int64(window.count) }
      window.drop(window.count)
    }
    return true
  }

  /// True if another container starts here; nil if more bytes are needed.
  private func isHead(_ ledger: PacketLedger) -> Bool? {
    switch PCMContainer.search(at: window.unread) {
    case .found: true
    case .nothing: false
    case .incomplete: ledger.isFinished ? false : nil
    }
  }

  private mutating func read(_ head: inout PCMHead, _ ledger: inout PacketLedger) -> Bool {
    switch head.read(&window) {
    case .needsMore:
      state = .head(head)
      return false
    case .unsuitable:
      state = .skipping(isStray: true)
      return true
    case .sound(let found):
      begin(found, head.tags, &ledger)
      return true
    }
  }

  private mutating func begin(
    _ found: PCMHead.Sound, _ tags: [SoundFileMetadata.Tag: String], _ ledger: inout PacketLedger
  ) {
    (sound, left, state) = (found, found.byteCount, found.byteCount == 0 ? .end : .samples)
    dataOffset = window.offset.addingReportingOverflow(Int64(found.skippedByteCount)).partialValue
    window.drop(found.skippedByteCount)
    (frame, base) = (0, (ledger.nextFrame, ledger.nextPacket))
    ledger.begin(properties(found, ledger))
    ledger.announce(tags)
  }

  private func properties(
    _ sound: PCMHead.Sound, _ ledger: PacketLedger
  ) -> SoundStream.Properties {
    let format = sound.format
    let layer = SoundLayer(
      codec: format.codec, hertz: format.hertz, channelCount: format.channelCount,
      framesPerPacket: format.framesPerPacket)
    return SoundStream.Properties(
      kind: sound.container.kind, layers: [layer], dataOffset: dataOffset,
      nominalBitrate: 8 * format.frameByteCount * format.hertz,
      packetCount: frames(sound, ledger).map { Self.packets($0, format) },
      framesPerPacket: format.framesPerPacket, samples: format.layout)
  }

  /// Reads one packet, if its bytes are available.
  private mutating func readSamples(_ ledger: inout PacketLedger) -> Bool {
    guard let sound else { return false }
    let (format, size) = (sound.format, sound.format.frameByteCount)
    let length = format.framesPerPacket
    // After a move into a packet, the boundaries of later packets stay the same.
    let wanted = Int64(length - Int(frame % Int64(length)))
    let most = min(wanted, left.map { $0 / Int64(size) } ?? wanted)
    let frames = min(Int(most), window.count / size)
    guard frames == Int(most) || ledger.isFinished else { return false }
    guard frames > 0 else { return endSamples() }
    ledger.add(
      FoundPacket(
        offset: window.offset, byteCount: frames * size,
        bytes: window.unread.prefix(frames * size), frameCount: frames))
    window.drop(frames * size)
    frame += Int64(frames)
    left = left.map { $0 - Int64(frames * size) }
    return true
  }

  /// Skips an incomplete frame at the end of the samples; returns false if they do not end here.
  private mutating func endSamples() -> Bool {
    guard let sound, let left, left < Int64(sound.format.frameByteCount) else { return false }
    let isOdd = (sound.byteCount ?? 0) % 2 == 1
    window.drop(left + (isOdd && sound.container != .caf ? 1 : 0))
    state = .end
    return true
  }
}

extension PCMStreamParser {
  /// The number of frames that a container states, or that follows from the size of the stream.
  private func frames(_ sound: PCMHead.Sound, _ ledger: PacketLedger) -> Int64? {
    let size = Int64(sound.format.frameByteCount)
    let there = ledger.byteCount.map { max(0, $0 - dataOffset) }
    guard let stated = sound.byteCount else { return there.map { $0 / size } }
    return min(stated, there ?? stated) / size
  }

  private static func packets(_ frames: Int64, _ format: PCMFormat) -> Int {
    let length = Int64(format.framesPerPacket)
    return Int(frames / length + (frames % length > 0 ? 1 : 0))
  }

  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)? {
    if ledger.isFinished, !ledger.isEstimated { return (ledger.nextPacket, false) }
    guard let sound, let frames = frames(sound, ledger) else { return nil }
    return (base.packet + Self.packets(frames, sound.format), false)
  }

  func frameCount(_ ledger: PacketLedger) -> (value: Int64, isEstimated: Bool)? {
    if ledger.isFinished, !ledger.isEstimated { return (ledger.nextFrame, false) }
    guard let sound, let frames = frames(sound, ledger) else { return nil }
    return (base.frame.addingReportingOverflow(frames).partialValue, false)
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let sound, packet >= base.packet else { return nil }
    let length = Int64(sound.format.framesPerPacket)
    let (frame, overflows) = Int64(packet - base.packet).multipliedReportingOverflow(by: length)
    let (offset, isTooLarge) = frame.multipliedReportingOverflow(
      by: Int64(sound.format.frameByteCount))
    guard !overflows, !isTooLarge, offset < 1 << 60 else { return nil }
    if let end = packetCount(ledger), packet >= end.value { return nil }
    return SoundStream.Place(
      offset: dataOffset + offset, packet: packet, firstFrame: base.frame + frame,
      isEstimated: false)
  }

  func place(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let sound, frame >= base.frame else { return nil }
    let packet = (frame - base.frame) / Int64(sound.format.framesPerPacket)
    return place(ofPacket: base.packet + Int(packet), ledger)
  }
}
