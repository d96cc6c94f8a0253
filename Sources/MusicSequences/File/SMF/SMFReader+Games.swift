// SPDX-License-Identifier: Apache-2.0

extension SMFReader {
  /// Reads a score of a game, or returns nil if the bytes are not one.
  ///
  /// - Throws: `SequenceError.damagedHeader`; `SequenceError.malformed` at the first repair if
  ///   reading is strict.
  func readGameScore(_ reader: ByteReader) throws(SequenceError) -> SequenceFile? {
    if MUSReader.recognizes(reader) {
      var score = MUSReader(reader)
      let (sequence, log) = try score.read()
      return try file(.mus, [sequence], log)
    }
    guard XMIReader.recognizes(reader) else { return nil }
    var score = XMIReader(reader)
    try score.read()
    return try file(.xmi, score.sequences, score.log)
  }

  private func file(
    _ container: SequenceFile.Container, _ sequences: [MusicSequence], _ log: RepairLog
  ) throws(SequenceError) -> SequenceFile {
    if isStrict, let repair = log.firstRepair { throw .malformed(repair) }
    let format: MusicSequence.Format = sequences.count > 1 ? .pattern : .single
    return SequenceFile(
      container: container, declaredFormat: format.rawValue,
      declaredTracks: UInt16(clamping: sequences.count),
      division: sequences.first?.division ?? .standard, sequences: sequences, unknownChunks: [],
      repairs: log.repairs, omittedRepairs: log.omitted)
  }
}
