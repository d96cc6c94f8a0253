// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime

/// Markers and regions in the structs of AudioFile.h.
///
/// A list states a number of elements, which follow it; the program releases their names.
enum AudioFileMarkers {
  private static let head = 8
  private static let regionHead = 24
  private static let stride = unsafe MemoryLayout<AudioFileMarker>.stride
  /// No file has more.
  private static let limit = 1 << 16

  /// The size of a list of markers.
  static func byteCount(markers: Int) -> Int { head + markers * stride }

  /// The size of a list of regions, each with a marker at its start and one at its end.
  static func byteCount(regions: Int) -> Int { head + regions * (regionHead + 2 * stride) }

  /// A list of markers, whose names are retained.
  static func bytes(_ markers: [SoundFileMetadata.Marker]) -> [UInt8] {
    var list = words([0, UInt32(clamping: markers.count)])
    for (index, marker) in markers.enumerated() {
      list += bytes(marker.position.frames, index + 1, name(marker.name))
    }
    return list
  }

  /// A list of regions, whose names are retained.
  static func bytes(regions: [(region: SoundFileMetadata.Region, loops: Bool)]) -> [UInt8] {
    var list = words([0, UInt32(clamping: regions.count)])
    for (index, element) in regions.enumerated() {
      let flags: AudioFileRegionFlags = element.loops ? [.loopEnable, .playForward] : .playForward
      let frames = element.region.frames
      list += words([UInt32(clamping: index + 1), 0])
      list += address(name(element.region.name))
      list += words([flags.rawValue, 2])
      list += bytes(frames.lowerBound, 2 * index + 1, nil)
      list += bytes(frames.upperBound, 2 * index + 2, nil)
    }
    return list
  }

  private static func name(_ name: String) -> NSString? {
    name.isEmpty ? nil : NSString(string: name)
  }

  private static func address(_ object: NSString?) -> [UInt8] {
    let bits = object.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) }
    return unsafe withUnsafeBytes(of: bits ?? 0) { unsafe Array($0) }
  }

  private static func bytes(_ frame: Int64, _ identifier: Int, _ name: NSString?) -> [UInt8] {
    var marker = unsafe AudioFileMarker()
    unsafe marker.mFramePosition = Double(frame)
    unsafe marker.mMarkerID = Int32(clamping: identifier)
    unsafe marker.mType = kAudioFileMarkerType_Generic
    var bytes = unsafe withUnsafeBytes(of: marker) { unsafe Array($0) }
    bytes.replaceSubrange(8..<16, with: address(name))
    return bytes
  }

  private static func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in unsafe withUnsafeBytes(of: word) { unsafe Array($0) } }
  }
}

extension AudioFileMarkers {
  /// Reads a list of markers.
  ///
  /// - Throws: `kAudioFileBadPropertySizeError` if the list is longer than its memory.
  static func markers(
    _ source: PropertySource
  ) throws(StatusError) -> [SoundFileMetadata.Marker] {
    let bytes = source.list(of: UInt8.self)
    let count = try word(bytes, 4)
    guard count <= limit, bytes.count >= byteCount(markers: count) else { throw badSize }
    return (0..<count).map { index in
      let place = head + index * stride
      return SoundFileMetadata.Marker(
        position: SampleTime(frames: frame(bytes, place)), name: name(bytes, place + 8))
    }
  }

  /// Reads a list of regions; their first and last marker are their ends.
  ///
  /// - Throws: `kAudioFileBadPropertySizeError` if the list is longer than its memory.
  static func regions(
    _ source: PropertySource
  ) throws(StatusError) -> [(region: SoundFileMetadata.Region, loops: Bool)] {
    let bytes = source.list(of: UInt8.self)
    let count = try word(bytes, 4)
    guard count <= limit else { throw badSize }
    var (place, regions) = (head, [(region: SoundFileMetadata.Region, loops: Bool)]())
    for _ in 0..<count {
      guard bytes.count - place >= regionHead else { throw badSize }
      let markers = try word(bytes, place + 20)
      let start = place + regionHead
      guard markers <= limit, bytes.count - start >= markers * stride else { throw badSize }
      if markers > 1 {
        let (first, last) = (frame(bytes, start), frame(bytes, start + (markers - 1) * stride))
        let flags = AudioFileRegionFlags(rawValue: UInt32(try word(bytes, place + 16)))
        let region = SoundFileMetadata.Region(
          min(first, last)..<max(first, last), name: name(bytes, place + 8))
        regions.append((region, flags.contains(.loopEnable)))
      }
      place = start + markers * stride
    }
    return regions
  }

  private static let badSize = StatusError(kAudioFileBadPropertySizeError)

  private static func word(_ bytes: [UInt8], _ place: Int) throws(StatusError) -> Int {
    guard bytes.count >= place + 4 else { throw badSize }
    return unsafe bytes.withUnsafeBytes {
      Int(unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
  }

  private static func frame(_ bytes: [UInt8], _ place: Int) -> Int64 {
    let frame = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: place, as: Double.self)
    }
    return frame.isFinite ? Int64(max(0, min(frame, 0x1p50)).rounded()) : 0
  }

  private static func name(_ bytes: [UInt8], _ place: Int) -> String {
    let bits = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt.self)
    }
    guard let object = unsafe UnsafeRawPointer(bitPattern: bits) else { return "" }
    return unsafe Unmanaged<NSString>.fromOpaque(object).takeUnretainedValue().description
  }
}

extension SoundFileMetadata {
  /// The regions, and behind them the loops of the instrument.
  var allRegions: [(region: Region, loops: Bool)] {
    get {
      regions.map { ($0, false) }
        + (instrument?.loops ?? []).map { (Region($0.frames, name: ""), true) }
    }
    set {
      regions = newValue.filter { !$0.loops }.map(\.region)
      let loops = newValue.filter(\.loops).prefix(16).map { Loop($0.region.frames) }
      guard !loops.isEmpty || instrument != nil else { return }
      var changed = instrument ?? Instrument()
      changed.loops = Array(loops)
      instrument = changed
    }
  }
}
