// SPDX-License-Identifier: Apache-2.0

/// The packets of a file without a container, which are located by their headers when they are
/// needed.
///
/// Results for a file that has not changed are reused.
final class PacketSurvey {
  /// The properties that the first packet states.
  let properties: SoundStream.Properties
  /// The packets found so far.
  ///
  /// Frames that are not sound are known only at the end.
  private(set) var table: PacketTable
  /// True if all packets were found.
  private(set) var isComplete: Bool
  private let stream: FileStream
  private let file: SurveyMemory.File?
  private var parser: SoundStream
  /// The end of the sound, if a packet states it.
  private var soundEnd: Int64?
  /// The position of the next byte to scan.
  private var place: Int64

  private static let chunk = 1 << 16
  /// The range in which a stream must start, without tags before it.
  static let usualPatience: Int64 = 1 << 26

  /// Finds the first packet; nil if none is found.
  ///
  /// - Parameters:
  ///   - stream: The file. Its position does not change.
  ///   - patience: The number of bytes in which the first packet must start, without tags before
  ///     it.
  ///   - kind: The container.
  init?(
    of stream: FileStream, patience: Int64 = PacketSurvey.usualPatience,
    kind: SoundStream.Kind = .mpegAudio
  ) {
    self.stream = stream
    file = SurveyMemory.File(stream)
    if let known = file.flatMap(SurveyMemory.recall) {
      (properties, table, isComplete) = (known.properties, known.table, known.isComplete)
      (parser, place) = (known.parser, known.place)
      return
    }
    var parser = SoundStream(byteCount: stream.length, kind: kind)
    parser.keepsBytes = false
    var (place, looked, isAtEnd) = (Int64(0), Int64(0), false)
    while parser.properties == nil, !isAtEnd {
      guard looked < patience else { return nil }
      let count = Self.read(stream, at: &place, into: &parser)
      looked += count
      isAtEnd = count == 0
    }
    guard let properties = parser.properties else { return nil }
    (self.properties, self.parser, self.place, isComplete) = (properties, parser, place, isAtEnd)
    table = PacketTable(hertz: properties.hertz)
    take()
  }

  deinit {
    guard let file else { return }
    let survey = SurveyMemory.Survey(
      properties: properties, table: table, isComplete: isComplete, parser: parser, place: place)
    SurveyMemory.keep(survey, of: file, stream)
  }

  /// Scans until the packet of a decoded frame, or the end, is found.
  ///
  /// - Complexity: O(n) in the bytes that were not scanned before.
  func reach(frame: Int64) {
    while !isComplete, table.decodedFrameCount <= frame { lookOn() }
  }

  /// Scans until the packet with an index, or the end, is found.
  ///
  /// - Complexity: O(n) in the bytes that were not scanned before.
  func reach(packet: Int) {
    while !isComplete, table.packets.count <= packet { lookOn() }
  }

  /// Scans to the end.
  func finish() { reach(frame: .max) }

  private func lookOn() {
    isComplete = Self.read(stream, at: &place, into: &parser) == 0
    take()
  }

  /// Passes the next bytes, or the end, to a parser; returns the number of bytes.
  private static func read(
    _ stream: FileStream, at place: inout Int64, into parser: inout SoundStream
  ) -> Int64 {
    guard let bytes = stream.bytes(at: place, upTo: chunk), !bytes.isEmpty else {
      parser.finish()
      return 0
    }
    parser.append(bytes)
    place = parser.passTag()
    return Int64(bytes.count)
  }

  private func take() {
    for packet in parser.takePackets() {
      table.append(
        offset: packet.offset + Int64(packet.headerByteCount),
        byteCount: packet.byteCount - packet.headerByteCount, frameCount: packet.frameCount)
      if soundEnd == nil, let rest = packet.omittedFrames.last,
        rest.lowerBound < packet.frameCount, rest.upperBound >= packet.frameCount
      {
        soundEnd = packet.firstFrame + Int64(rest.lowerBound)
      }
    }
    guard isComplete else { return }
    parser = SoundStream()
    table.apply(
      GaplessLength(
        priming: properties.primingFrameCount,
        remainder: soundEnd.map { Int(max(0, table.decodedFrameCount - $0)) }
          ?? properties.remainderFrameCount))
  }
}
