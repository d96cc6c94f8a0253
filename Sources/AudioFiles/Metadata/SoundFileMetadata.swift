// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The metadata of a sound file: tags, markers, regions, and settings for samplers and
/// broadcasters.
public struct SoundFileMetadata: Hashable, Sendable {
  /// The tags; empty by default.
  public var tags: [Tag: String] = [:]
  /// The markers, in the order of the file; empty by default.
  public var markers: [Marker] = []
  /// The settings for a sampler; nil if the file does not state them.
  public var instrument: Instrument?
  /// Named parts of the sound, in the order of the file; empty by default.
  ///
  /// Loops are in `instrument`.
  public var regions: [Region] = []
  /// The tempo; nil if the file does not state one.
  public var tempo: Tempo?
  /// The broadcast extension; nil if the file does not contain one.
  public var broadcast: Broadcast?
  /// The texts of a CAF file that do not correspond to a tag, by name, such as `composer`; empty by
  /// default.
  public var strings: [String: String] = [:]
  /// The loudest sample of each channel that a CAF file states; read-only; empty by default.
  public internal(set) var peaks: [Peak] = []
  /// The waveform overview of a CAF file; read-only; nil if the file does not contain one.
  public internal(set) var overview: Overview?
  /// The MIDI file embedded in a CAF file, such as the notes of the sound; nil if the file does not
  /// contain one.
  public var midiFile: [UInt8]?
  /// The comments on edits in a CAF file, by date; read-only; empty by default.
  public internal(set) var editComments: [String: String] = [:]

  /// Creates empty metadata.
  public init() {}

  /// The kinds of text that a file can contain.
  public enum Tag: String, Hashable, Sendable, CaseIterable {
    /// The title of the sound.
    case title
    /// The artist.
    case artist
    /// The title of the album.
    case album
    /// The track number on the album.
    case trackNumber = "track number"
    /// The genre.
    case genre
    /// The date, in any form.
    case date
    /// A comment.
    case comment
    /// The copyright notice.
    case copyright
    /// The terms of use.
    case license
    /// The program that wrote the file; when libsndfile writes a file, it appends its own name.
    case software
  }

  /// A named position: a cue point of a WAV file, or a marker of an AIFF file.
  public struct Marker: Hashable, Sendable {
    /// The position, in frames.
    public var position: SampleTime
    /// The name; empty if the file does not state one.
    public var name: String

    /// Creates a marker.
    public init(position: SampleTime, name: String = "") {
      self.position = position
      self.name = name
    }
  }

  /// The settings with which a sampler plays the sound.
  public struct Instrument: Hashable, Sendable {
    /// The gain in decibels; 0 by default.
    public var gain = 0
    /// The key that plays the sound at its original pitch, 0…127; 60 by default.
    public var baseKey: UInt8 = 60
    /// The detuning in cents, −50…50; 0 by default.
    public var detune: Int8 = 0
    /// The range of keys that play the sound, 0…127; all by default.
    public var keys: ClosedRange<UInt8> = 0...127
    /// The range of velocities that play the sound, 0…127; all by default.
    public var velocities: ClosedRange<UInt8> = 0...127
    /// The repeated parts, at most 16; empty by default.
    ///
    /// AIFF files store two loops. Ogg and Opus files store only the first loop, as the comments
    /// `LOOPSTART` and `LOOPLENGTH`; FLAC files contain these comments, too.
    public var loops: [Loop] = []

    /// Creates an instrument with the default settings.
    public init() {}
  }

  /// A repeated part of the sound.
  public struct Loop: Hashable, Sendable {
    /// The direction in which a loop is played.
    public enum Direction: String, Hashable, Sendable {
      /// The loop is played from the start to the end.
      case forward
      /// The loop is played from the end to the start.
      case backward
      /// The loop is played alternately forward and backward.
      case alternating
    }

    /// The direction in which the loop is played.
    public var direction: Direction
    /// The half-open range of frames that is repeated.
    public var frames: Range<Int64>
    /// The number of times that the part is played; 0 to repeat it endlessly.
    public var count: Int

    /// Creates a loop.
    public init(_ frames: Range<Int64>, direction: Direction = .forward, count: Int = 0) {
      self.frames = frames
      self.direction = direction
      self.count = count
    }
  }

  /// The tempo of a loop, as the file states it.
  public struct Tempo: Hashable, Sendable {
    /// The tempo in quarter notes per minute.
    public var beatsPerMinute: Float
    /// The number of beats in the file; a beat is the note value of the time signature's
    /// denominator.
    ///
    /// 0 if the number is unknown.
    public var beatCount: Int
    /// The time signature's numerator and denominator.
    public var signature: (Int, Int) { (numerator, denominator) }
    /// The MIDI key that the file states as the pitch of the sound; nil if the file does not state
    /// one.
    public var key: UInt8?
    let numerator: Int
    let denominator: Int

    /// Creates a tempo.
    ///
    /// - Parameters:
    ///   - beatsPerMinute: Quarter notes per minute.
    ///   - beatCount: The number of beats in the file; 0 if it is unknown.
    ///   - signature: The time signature's numerator and denominator.
    ///   - key: The MIDI key of the sound; nil for none.
    public init(
      beatsPerMinute: Float, beatCount: Int, signature: (Int, Int) = (4, 4), key: UInt8? = nil
    ) {
      (self.beatsPerMinute, self.beatCount, self.key) = (beatsPerMinute, beatCount, key)
      (numerator, denominator) = signature
    }
  }

  /// The broadcast extension of a WAVE file (`bext`), with the origin of the sound.
  ///
  /// Source: EBU Tech 3285.
  public struct Broadcast: Hashable, Sendable {
    /// The description, at most 256 bytes; empty by default.
    public var description = ""
    /// The originator's name, at most 32 bytes; empty by default.
    public var originator = ""
    /// The originator's reference, at most 32 bytes; empty by default.
    public var originatorReference = ""
    /// The date of origination, `yyyy-mm-dd`; empty by default.
    public var date = ""
    /// The time of origination, `hh:mm:ss`; empty by default.
    public var time = ""
    /// The position of the first frame on a timeline, in frames since midnight; 0 by default.
    public var timeReference: UInt64 = 0
    /// The history of the sound's encodings, one per line; empty by default.
    public var codingHistory = ""

    /// Creates an empty extension.
    public init() {}
  }
}

extension SoundFileMetadata {
  /// Returns the metadata for the same sound at another sample rate.
  ///
  /// Each position is converted and rounded to the nearest frame.
  public func scaled(from source: SampleRate, to target: SampleRate) -> SoundFileMetadata {
    guard source != target else { return self }
    let scale = { (frames: Int64) in Self.scale(frames, source, target) }
    var scaled = self
    for index in markers.indices {
      scaled.markers[index].position.frames = scale(markers[index].position.frames)
    }
    for (index, loop) in (instrument?.loops ?? []).enumerated() {
      let frames = scale(loop.frames.lowerBound)..<scale(loop.frames.upperBound)
      scaled.instrument?.loops[index].frames = frames
    }
    if let reference = broadcast?.timeReference {
      scaled.broadcast?.timeReference = UInt64(clamping: scale(Int64(clamping: reference)))
    }
    for index in regions.indices {
      let frames = regions[index].frames
      scaled.regions[index].frames = scale(frames.lowerBound)..<scale(frames.upperBound)
    }
    (scaled.peaks, scaled.overview) = ([], nil)
    return scaled
  }

  /// Returns the metadata of a part of the sound.
  ///
  /// - Parameter frames: The range of frames that is the part.
  /// - Returns: The metadata within the part, with positions relative to the part's first frame.
  public func excerpt(_ frames: Range<Int64>) -> SoundFileMetadata {
    var part = self
    part.markers = markers.filter { frames.contains($0.position.frames) }.map {
      var marker = $0
      marker.position.frames -= frames.lowerBound
      return marker
    }
    part.instrument?.loops = (instrument?.loops ?? []).filter {
      frames.lowerBound <= $0.frames.lowerBound && $0.frames.upperBound <= frames.upperBound
    }.map {
      var loop = $0
      let (first, end) = (loop.frames.lowerBound, loop.frames.upperBound)
      loop.frames = first - frames.lowerBound..<end - frames.lowerBound
      return loop
    }
    part.regions = regions.compactMap {
      guard $0.frames.overlaps(frames) else { return nil }
      var region = $0
      let inside = $0.frames.clamped(to: frames)
      region.frames =
        inside.lowerBound - frames.lowerBound..<inside.upperBound - frames.lowerBound
      return region
    }
    // These describe the whole sound.
    part.tempo?.beatCount = 0
    (part.peaks, part.overview, part.midiFile) = ([], nil, nil)
    if let reference = broadcast?.timeReference {
      let (sum, overflows) = reference.addingReportingOverflow(UInt64(clamping: frames.lowerBound))
      part.broadcast?.timeReference = overflows ? .max : sum
    }
    return part
  }

  private static func scale(_ frames: Int64, _ source: SampleRate, _ target: SampleRate) -> Int64 {
    let doubled = Int128(frames) * Int128(target.hertz) * 2 + Int128(source.hertz)
    return Int64(clamping: doubled / (2 * Int128(source.hertz)))
  }
}
