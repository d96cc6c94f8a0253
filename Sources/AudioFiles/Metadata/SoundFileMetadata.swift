// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a sound file says of its sound: texts, markers, and how the sound is to be used.
public struct SoundFileMetadata: Hashable, Sendable {
  /// The texts, by their kind; none by default.
  public var tags: [Tag: String] = [:]
  /// The places that are marked, in the order of the file; none by default.
  public var markers: [Marker] = []
  /// How a sampler is to play the sound; nil where the file does not say.
  public var instrument: Instrument?
  /// Named parts of the sound, in the order of the file; loops are in `instrument`; none by default.
  public var regions: [Region] = []
  /// The tempo; nil where the file does not say.
  public var tempo: Tempo?
  /// What broadcasters say of it; nil where the file does not.
  public var broadcast: Broadcast?
  /// Texts without a tag, by the names that the file gives them, such as `composer`; CAF only; none
  /// by default.
  public var strings: [String: String] = [:]
  /// The loudest sample of each channel, as a CAF file states it; read only; none by default.
  public internal(set) var peaks: [Peak] = []
  /// The outline of the sound that a CAF file contains; read only; nil if it has none.
  public internal(set) var overview: Overview?
  /// A MIDI file that a CAF file contains, such as the notes of the sound; nil if it has none.
  public var midiFile: [UInt8]?
  /// Comments on edits of the sound, by their dates; CAF only; read only; none by default.
  public internal(set) var editComments: [String: String] = [:]

  /// Creates metadata that say nothing.
  public init() {}

  /// The texts that a file may carry.
  public enum Tag: String, Hashable, Sendable, CaseIterable {
    /// The title.
    case title
    /// Who made it.
    case artist
    /// The album.
    case album
    /// The number on the album.
    case trackNumber = "track number"
    /// The genre.
    case genre
    /// The date.
    case date
    /// A comment.
    case comment
    /// Who holds the rights.
    case copyright
    /// The terms under which it may be used.
    case license
    /// The program that wrote it; libsndfile adds its own name.
    case software
  }

  /// A marked place: a cue point of a WAV file, a marker of an AIFF file.
  public struct Marker: Hashable, Sendable {
    /// The frame.
    public var position: SampleTime
    /// Its name, empty where it has none.
    public var name: String

    /// Creates a marker.
    public init(position: SampleTime, name: String = "") {
      self.position = position
      self.name = name
    }
  }

  /// How a sampler is to play the sound.
  public struct Instrument: Hashable, Sendable {
    /// The gain in decibels; 0 by default.
    public var gain = 0
    /// The key at which the sound has its own pitch, 0…127; 60 by default.
    public var baseKey: UInt8 = 60
    /// The detuning in cents, −50…50; 0 by default.
    public var detune: Int8 = 0
    /// The keys at which it sounds; all by default.
    public var keys: ClosedRange<UInt8> = 0...127
    /// The velocities at which it sounds; all by default.
    public var velocities: ClosedRange<UInt8> = 0...127
    /// The parts that are repeated, at most 16; none by default.
    ///
    /// AIFF files keep two, Ogg and Opus files the first, as the comments `LOOPSTART` and
    /// `LOOPLENGTH`, which FLAC files have too.
    public var loops: [Loop] = []

    /// Creates an instrument that plays as it is.
    public init() {}
  }

  /// A part that is repeated.
  public struct Loop: Hashable, Sendable {
    /// The ways to repeat.
    public enum Direction: String, Hashable, Sendable {
      /// From the start to the end.
      case forward
      /// From the end to the start.
      case backward
      /// To and fro.
      case alternating
    }

    /// The way in which the part is repeated.
    public var direction: Direction
    /// The frames, half open.
    public var frames: Range<Int64>
    /// How often the part is played; 0 is for ever.
    public var count: Int

    /// Creates a loop.
    public init(_ frames: Range<Int64>, direction: Direction = .forward, count: Int = 0) {
      self.frames = frames
      self.direction = direction
      self.count = count
    }
  }

  /// The tempo that a file of loops gives.
  public struct Tempo: Hashable, Sendable {
    /// Quarter notes a minute, as the file says it.
    public var beatsPerMinute: Float
    /// The beats in the file, of the time signature's denominator.
    public var beatCount: Int
    /// The time signature's numerator and denominator.
    public var signature: (Int, Int) { (numerator, denominator) }
    /// The key of the sound; nil where it has none.
    public var key: UInt8?
    let numerator: Int
    let denominator: Int

    /// Creates a tempo.
    ///
    /// - Parameters:
    ///   - beatsPerMinute: quarter notes per minute.
    ///   - beatCount: the beats in the file; 0 if they are not known.
    ///   - signature: the time signature's numerator and denominator.
    ///   - key: the key of the sound; nil if it has none.
    public init(
      beatsPerMinute: Float, beatCount: Int, signature: (Int, Int) = (4, 4), key: UInt8? = nil
    ) {
      (self.beatsPerMinute, self.beatCount, self.key) = (beatsPerMinute, beatCount, key)
      (numerator, denominator) = signature
    }
  }

  /// The broadcast extension.
  ///
  /// Source: EBU Tech 3285.
  public struct Broadcast: Hashable, Sendable {
    /// At most 256 bytes; empty by default.
    public var description = ""
    /// At most 32 bytes; empty by default.
    public var originator = ""
    /// At most 32 bytes; empty by default.
    public var originatorReference = ""
    /// `yyyy-mm-dd`; empty by default.
    public var date = ""
    /// `hh:mm:ss`; empty by default.
    public var time = ""
    /// The frames from midnight to the first of the file: the time of day it was recorded at; 0 by
    /// default.
    public var timeReference: UInt64 = 0
    /// How the sound came about, line by line; empty by default.
    public var codingHistory = ""

    /// Creates an empty extension.
    public init() {}
  }
}

extension SoundFileMetadata {
  /// The metadata of the same sound at another rate: every position is moved to the nearest frame.
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

  /// The same metadata for a part of the sound.
  ///
  /// - Parameter frames: the part, in frames of the sound.
  /// - Returns: the metadata without what lies outside of the part; what lies in it is counted from
  ///   its first frame.
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
    // They are of the whole sound.
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
