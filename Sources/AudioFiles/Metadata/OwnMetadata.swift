// SPDX-License-Identifier: Apache-2.0

extension SoundFileMetadata {
  /// Adds metadata that libsndfile does not read, for a WAV, RF64, AIFF or FLAC file.
  ///
  /// libsndfile does not read names of markers and regions, or markers and loops of FLAC files.
  ///
  /// - Parameters:
  ///   - stream: The file.
  ///   - seconds: The length of the sound; nil if it is unknown.
  mutating func addOwn(of stream: FileStream, seconds: Double?) {
    if let own = RiffChunks.metadata(of: stream) {
      add(own)
    } else if let own = AIFFMetadata(of: stream, seconds: seconds) {
      if !own.markers.isEmpty || own.instrument != nil { markers = own.markers }
      instrument = own.instrument ?? instrument
      tempo = own.tempo ?? tempo
    } else if let own = FLACMetadata(of: stream) {
      add(own.metadata)
      if markers.isEmpty { markers = own.cuePoints }
      if instrument == nil, let loop = own.loop {
        instrument = Instrument()
        instrument?.loops = [loop]
      }
    }
  }

  private mutating func add(_ own: RiffMetadata) {
    if !own.markers.isEmpty || !own.regions.isEmpty { markers = own.markers }
    regions = own.regions
    instrument = own.instrument ?? instrument
    tempo = own.tempo ?? tempo
  }
}
