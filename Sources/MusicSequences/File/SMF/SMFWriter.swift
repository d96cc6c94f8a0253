// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Writes sequences as Standard MIDI Files.
///
/// A track that was not edited is written byte for byte as it was read. An edited track is written
/// in the order of its events, with each note-off at its position in the original file. Note-offs
/// of new notes precede the other events of their tick.
///
/// Source: Standard MIDI Files 1.0 (RP-001).
public struct SMFWriter: Sendable {
  /// True, the default, to omit repeated status bytes (running status).
  public var usesRunningStatus: Bool

  /// Creates a writer.
  ///
  /// - Parameter usesRunningStatus: True to omit repeated status bytes.
  public init(usesRunningStatus: Bool = true) {
    self.usesRunningStatus = usesRunningStatus
  }

  /// Returns the bytes of a file with one sequence.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to write.
  ///   - format: The format of the file, or nil for the sequence's format. Format 0 joins all
  ///     tracks.
  /// - Returns: The whole file.
  /// - Throws: `SequenceError.notRepresentable` for a frame rate that a file cannot state, more
  ///   than 65,535 tracks, notes and channel messages in the tempo track, unit state that is too
  ///   long, or gaps that would need more than 2²¹ empty texts to bridge them.
  /// - Complexity: O(n log p) for at most p simultaneous notes.
  public func write(
    _ sequence: MusicSequence, format: MusicSequence.Format? = nil
  ) throws(SequenceError) -> [UInt8] {
    try bytes(of: FilePlan(sequence, format: format ?? sequence.format))
  }

  /// Returns the bytes of a file that was read, including its unknown chunks.
  ///
  /// If nothing was edited or repaired, these are the bytes that were read.
  ///
  /// - Throws: The errors of writing one sequence, and `SequenceError.notRepresentable` if the
  ///   sequences have different divisions.
  public func write(_ file: SequenceFile) throws(SequenceError) -> [UInt8] {
    try bytes(of: FilePlan(file))
  }

  /// Returns the data that would be lost if a sequence were written, track by track in order of
  /// tick.
  ///
  /// Empty if reading the written file restores the same sequence.
  ///
  /// - Throws: The errors of `write`.
  /// - Complexity: O(n log p) in the events of edited tracks, for at most p simultaneous notes.
  public func losses(
    of sequence: MusicSequence, format: MusicSequence.Format? = nil
  ) throws(SequenceError) -> [SaveLoss] {
    losses(of: try FilePlan(sequence, format: format ?? sequence.format))
  }

  /// Returns the data that would be lost if a file were written after reading and editing.
  ///
  /// - Throws: The errors of `write`.
  /// - Complexity: O(n log p) in the events of edited tracks, for at most p simultaneous notes.
  public func losses(of file: SequenceFile) throws(SequenceError) -> [SaveLoss] {
    losses(of: try FilePlan(file))
  }

  private func losses(of plan: FilePlan) -> [SaveLoss] {
    var survey = TrackSurvey()
    for (index, track) in plan.tracks.enumerated() where track.source == nil {
      survey.take(track, index: index)
    }
    return plan.losses + survey.losses
  }

  private func bytes(of plan: FilePlan) throws(SequenceError) -> [UInt8] {
    var out = OutputBytes(capacity: 1 << 16)
    try header(plan.format, count: plan.tracks.count, plan.division, into: &out)
    var chunks = plan.chunks[...]
    var fillersLeft = TrackEncoder.mostFillers
    for (index, track) in plan.tracks.enumerated() {
      Self.append(&chunks, at: index, into: &out)
      try append(track, &fillersLeft, into: &out)
    }
    Self.append(&chunks, at: .max, into: &out)
    return out.bytes
  }

  private func append(
    _ plan: TrackPlan, _ fillersLeft: inout Int, into out: inout OutputBytes
  ) throws(SequenceError) {
    out.append("MTrk")
    switch plan.source?.form {
    case .bytes(let bytes):
      out.append(long: UInt32(bytes.count))
      out.append(contentsOf: bytes)
    case .written(let usesRunningStatus):
      var encoder = TrackEncoder(
        usesRunningStatus: usesRunningStatus, fillersLeft: fillersLeft)
      try append(plan, &encoder, into: &out)
      fillersLeft = encoder.fillersLeft
    case nil:
      var encoder = TrackEncoder(usesRunningStatus: usesRunningStatus, fillersLeft: fillersLeft)
      try append(plan, &encoder, into: &out)
      fillersLeft = encoder.fillersLeft
    }
  }

  private func append(
    _ plan: TrackPlan, _ encoder: inout TrackEncoder, into out: inout OutputBytes
  ) throws(SequenceError) {
    let stateCount = plan.track.settings.unitState.count
    guard stateCount <= Keepsake.stateLimit else {
      throw .notRepresentable(
        "plug-in state of \(stateCount) bytes is too large (at most \(Keepsake.stateLimit))")
    }
    let lengthAt = out.count
    out.append(long: 0)
    encoder.encode(plan.track, conductor: plan.conductor, into: &out)
    guard encoder.fillersLeft >= 0 else {
      throw .notRepresentable("gap of more than 2⁴⁹ ticks (move the events closer together)")
    }
    guard let length = UInt32(exactly: out.count - lengthAt - 4) else {
      throw .notRepresentable("track is larger than 4294967295 bytes")
    }
    out.put(long: length, at: lengthAt)
  }

  private func header(
    _ format: MusicSequence.Format, count: Int, _ division: Division, into out: inout OutputBytes
  ) throws(SequenceError) {
    guard let bits = division.smfBits else {
      throw .notRepresentable("the frame rate must be 24, 25, 29.97 or 30")
    }
    guard let tracks = UInt16(exactly: count) else {
      throw .notRepresentable("\(count) tracks do not fit in a file (at most 65535)")
    }
    out.append("MThd")
    out.append(long: 6)
    for word in [format.rawValue, tracks, bits] { out.append(word: word) }
  }

  private static func append(
    _ chunks: inout ArraySlice<SequenceFile.UnknownChunk>, at position: Int,
    into out: inout OutputBytes
  ) {
    while let chunk = chunks.first, chunk.position <= position {
      chunks.removeFirst()
      out.append(contentsOf: chunk.name)
      out.append(long: UInt32(truncatingIfNeeded: chunk.bytes.count))
      out.append(contentsOf: chunk.bytes)
    }
  }
}
