// SPDX-License-Identifier: Apache-2.0

/// The packets of a file without a container, found by their headers as far as they are asked for.
///
/// What was seen of a file before, where it is still the same, is known at once.
final class PacketSurvey {
  /// What the first packet says.
  let properties: SoundStream.Properties
  /// The places of the packets that were found; what is no sound is noted at the end only.
  private(set) var table: PacketTable
  /// Whether all were found.
  private(set) var isComplete: Bool
  private let stream: FileStream
  private let file: SurveyMemory.File?
  private var parser: SoundStream
  /// The first frame behind the sound if a packet states it.
  private var soundEnd: Int64?
  /// The byte that is looked at next.
  private var place: Int64

  private static let chunk = 1 << 16
  /// No stream begins later, tags before it not counted.
  static let usualPatience: Int64 = 1 << 26

  /// Finds the first packet; nil where there is none.
  ///
  /// - Parameters:
  ///   - stream: the file; what is read of it next stays the same.
  ///   - patience: the bytes within which it begins, tags before it not counted.
  ///   - kind: the container.
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

  /// Looks on for a frame, counted from the first that is decoded, or to the end.
  ///
  /// - Complexity: O(n) in the bytes that were not seen yet.
  func reach(frame: Int64) {
    while !isComplete, table.decodedFrameCount <= frame { lookOn() }
  }

  /// Looks on for the packet of a number, or to the end.
  ///
  /// - Complexity: O(n) in the bytes that were not seen yet.
  func reach(packet: Int) {
    while !isComplete, table.packets.count <= packet { lookOn() }
  }

  /// Looks on to the end.
  func finish() { reach(frame: .max) }

  private func lookOn() {
    isComplete = Self.read(stream, at: &place, into: &parser) == 0
    take()
  }

  /// Puts the next bytes into a parser, or the end; returns how many there were.
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
