// SPDX-License-Identifier: Apache-2.0

extension DLSReader {
  /// Reads the list `lins`.
  mutating func readInstruments(_ list: RIFFChunk) throws(SoundFontError) {
    try forEachChunk(of: list) { (reader, chunk) throws(SoundFontError) in
      guard chunk.label == "ins ", try reader.isUsed(chunk) else { return }
      guard reader.collection.instruments.count < Self.limit else {
        throw .damaged(reason: "it has more than \(Self.limit) instruments")
      }
      let instrument = try reader.instrument(chunk)
      reader.collection.instruments.append(instrument)
    }
    guard !collection.instruments.isEmpty else { throw .damaged(reason: "instruments are missing") }
  }

  private mutating func instrument(_ list: RIFFChunk) throws(SoundFontError) -> DLSInstrument {
    var instrument = DLSInstrument()
    var articulation = DLSArticulationList()
    try forEachChunk(of: list) { (reader, chunk) throws(SoundFontError) in
      switch chunk.label {
      case "insh": try reader.readHeader(chunk, of: &instrument)
      case "INFO": instrument.name = try reader.name(in: chunk)
      case "lrgn": try reader.readRegions(chunk, of: &instrument)
      case "lart", "lar2": try reader.readConnections(chunk, into: &articulation)
      default: break
      }
    }
    instrument.connections = articulation.connections ?? []
    return instrument
  }

  private mutating func readHeader(
    _ chunk: RIFFChunk, of instrument: inout DLSInstrument
  ) throws(SoundFontError) {
    let bank = try number(chunk, at: 4, size: 4)
    instrument.isDrums = bank & 1 << 31 != 0
    instrument.upperBank = bank >> 8 & 0x7F
    instrument.lowerBank = bank & 0x7F
    instrument.program = try number(chunk, at: 8, size: 4) & 0x7F
  }

  private mutating func readRegions(
    _ list: RIFFChunk, of instrument: inout DLSInstrument
  ) throws(SoundFontError) {
    try forEachChunk(of: list) { (reader, chunk) throws(SoundFontError) in
      guard chunk.label == "rgn " || chunk.label == "rgn2", try reader.isUsed(chunk) else { return }
      if chunk.label == "rgn2" { reader.collection.level = 2 }
      guard reader.regionCount < Self.limit else {
        throw .damaged(reason: "it has more than \(Self.limit) regions")
      }
      reader.regionCount += 1
      instrument.regions.append(try reader.region(chunk))
    }
  }

  private mutating func region(_ list: RIFFChunk) throws(SoundFontError) -> DLSRegion {
    var region = DLSRegion()
    var articulation = DLSArticulationList()
    try forEachChunk(of: list) { (reader, chunk) throws(SoundFontError) in
      switch chunk.label {
      case "rgnh": try reader.readHeader(chunk, of: &region)
      case "wlnk": try reader.readLink(chunk, of: &region)
      case "wsmp": region.sample = try reader.sample(chunk)
      case "lart", "lar2": try reader.readConnections(chunk, into: &articulation)
      default: break
      }
    }
    region.connections = articulation.connections
    return region
  }

  private mutating func readHeader(
    _ chunk: RIFFChunk, of region: inout DLSRegion
  ) throws(SoundFontError) {
    region.keys = (try number(chunk, at: 0, size: 2), try number(chunk, at: 2, size: 2))
    region.velocities = (try number(chunk, at: 4, size: 2), try number(chunk, at: 6, size: 2))
    region.isSelfNonExclusive = try number(chunk, at: 8, size: 2) & 1 != 0
    region.keyGroup = try number(chunk, at: 10, size: 2)
  }

  private mutating func readLink(
    _ chunk: RIFFChunk, of region: inout DLSRegion
  ) throws(SoundFontError) {
    region.phaseGroup = try number(chunk, at: 2, size: 2)
    region.channels = try number(chunk, at: 4, size: 4)
    region.wave = try number(chunk, at: 8, size: 4)
  }

  /// Reads a chunk `wsmp`; a stated size of its header below 20 is read as 20.
  mutating func sample(_ chunk: RIFFChunk) throws(SoundFontError) -> DLSSample {
    var sample = DLSSample()
    let size = max(20, try number(chunk, at: 0, size: 4))
    sample.key = min(127, try number(chunk, at: 4, size: 2))
    sample.tuning = try number(chunk, at: 6, size: 2, isSigned: true)
    sample.gain = try number(chunk, at: 8, size: 4, isSigned: true)
    guard try number(chunk, at: 16, size: 4) > 0 else { return sample }
    let start = try number(chunk, at: size + 8, size: 4)
    let length = try number(chunk, at: size + 12, size: 4)
    sample.endsWithKey = try number(chunk, at: size + 4, size: 4) == 1
    sample.loop = length > 0 ? start..<start + length : nil
    return sample
  }
}
