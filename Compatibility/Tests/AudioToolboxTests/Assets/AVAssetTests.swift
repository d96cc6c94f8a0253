// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioFiles
import Foundation
import TestSupport
import Testing

@Suite struct AVAssetTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func `An asset of a URL is an AVURLAsset with one track`() async throws {
    let path = try AssetSamples.tone(scratch, "a.flac", seconds: 0.5)
    let asset = AVAsset(url: URL(fileURLWithPath: path))
    #expect((asset as? AVURLAsset)?.url.path == path)
    if case .notYetLoaded = asset.status(of: .duration) {} else { Issue.record("loaded") }
    let (tracks, duration) = try await asset.load(.tracks, .duration)
    #expect(duration == CMTime(value: 22_050, timescale: 44_100) && asset.duration == duration)
    let track = try #require(tracks.first)
    #expect(tracks.count == 1 && track.mediaType == .audio && track.trackID == 1)
    #expect(track.asset === asset && track.naturalTimeScale == 44_100)
    #expect(track.timeRange == CMTimeRange(start: .zero, duration: duration))
    #expect(track.estimatedDataRate > 0 && asset.track(withTrackID: 1) === track)
    #expect(try await asset.loadTracks(withMediaType: .audio) == [track])
    #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
    #expect(asset.isPlayable && asset.isReadable && asset.isExportable && !asset.isComposable)
    let formats = try await track.load(.formatDescriptions)
    #expect(formats.first?.mediaSubType == .flac && formats.first?.mediaType == .audio)
    #expect(asset.status(of: .duration).value == duration)
  }

  @Test func `Texts are common metadata`() async throws {
    let path = try AssetSamples.tone(scratch, "a.flac", seconds: 0.1)
    let asset = AVURLAsset(url: URL(fileURLWithPath: path), options: nil)
    let items = try await asset.load(.commonMetadata)
    let titles = AVMetadataItem.metadataItems(
      from: items, filteredByIdentifier: .commonIdentifierTitle)
    #expect(titles.map(\.stringValue) == ["A Tone"])
    #expect(try await titles.first?.load(.stringValue) == "A Tone")
    let artists = AVMetadataItem.metadataItems(
      from: asset.metadata, withKey: AVMetadataKey.commonKeyArtist, keySpace: .common)
    #expect(artists.first?.value as? NSString == "A Player")
    #expect(artists.first?.commonKey == .commonKeyArtist)
  }

  @Test func `The format of AAC has its codec, packets and configuration`() throws {
    guard let path = try SoundSamples.write(scratch, "a.m4a") else { return }
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let track = try #require(asset.tracks.first)
    let format = try #require(track.formatDescriptions as? [CMAudioFormatDescription]).first
    let description = try #require(
      format.flatMap(CMAudioFormatDescriptionGetStreamBasicDescription))
    #expect(description.pointee.mFormatID == kAudioFormatMPEG4AAC)
    #expect(description.pointee.mFramesPerPacket == 1024)
    #expect(format?.magicCookie?.isEmpty == false)
    #expect(asset.duration == CMTime(value: 11_025, timescale: 44_100))
    #expect(track.totalSampleDataLength > 0)
  }

  @Test func `A missing file does not have tracks, and the error is Apple's`() async throws {
    let asset = AVURLAsset(url: URL(fileURLWithPath: scratch.path("none.wav")))
    #expect(asset.tracks.isEmpty && asset.duration == .zero && !asset.isReadable)
    let thrown = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
    #expect(thrown?.code == .unknown)
    var error: NSError?
    #expect(asset.statusOfValue(forKey: "tracks", error: &error) == .failed)
    #expect(error?.domain == AVFoundationErrorDomain && error?.code == -11_800)
    do {
      _ = try await asset.load(.duration)
      Issue.record("loaded")
    } catch AVError.unknown {
    }
  }

  @Test func `Old programs load values by their names`() async throws {
    let path = try AssetSamples.tone(scratch, "a.wav", seconds: 0.1)
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .unknown)
    await withCheckedContinuation { continuation in
      asset.loadValuesAsynchronously(forKeys: ["tracks"]) { continuation.resume() }
    }
    #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
  }

  @Test func `Lists of types contain those of files that are read`() {
    #expect(AVURLAsset.audiovisualTypes().contains(.m4a))
    #expect(AVURLAsset.isPlayableExtendedMIMEType("audio/mpeg; codecs=mp3"))
    #expect(!AVURLAsset.isPlayableExtendedMIMEType("text/html"))
  }

  @Test func `Formats of AVFAudio and Core Media are converted`() throws {
    let format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let description = format.formatDescription
    #expect(AVAudioFormat(cmAudioFormatDescription: description) == format)
  }
}

extension AVAsyncProperty.Status {
  /// The value, if it was read.
  fileprivate var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }
}
