// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Synchronization
import TestSupport
import Testing

/// System sounds, as programs for Apple's systems use them.
@Suite struct AudioServicesTests {
  /// A file with a sound of a number of seconds.
  static func file(seconds: Double = 0.1) throws -> URL {
    let count = Int(8000 * seconds)
    var bytes = Data("RIFF".utf8)
    func add(_ value: UInt32) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func add16(_ value: UInt16) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    add(UInt32(36 + 2 * count))
    bytes.append(contentsOf: "WAVEfmt ".utf8)
    add(16)
    for value in [UInt16(1), 1] { add16(value) }
    for value in [UInt32(8000), 16000] { add(value) }
    for value in [UInt16(2), 16] { add16(value) }
    bytes.append(contentsOf: "data".utf8)
    add(UInt32(2 * count))
    for frame in 0..<count { add16(UInt16(bitPattern: Int16(8000 * sin(Double(frame) / 5)))) }
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sound-\(UUID().uuidString).wav")
    try bytes.write(to: url)
    return url
  }

  static func sound(seconds: Double = 0.1) throws -> SystemSoundID {
    let url = try file(seconds: seconds)
    defer { try? FileManager.default.removeItem(at: url) }
    var sound: SystemSoundID = 0
    #expect(AudioServicesCreateSystemSoundID(url as CFURL, &sound) == 0)
    return sound
  }

  @Test func `A file gets a sound ID above the predefined ones`() throws {
    let sound = try Self.sound()
    #expect(sound > kSystemSoundID_UserPreferredAlert)
    #expect(AudioServicesDisposeSystemSoundID(sound) == 0)
    #expect(AudioServicesDisposeSystemSoundID(sound) == -1500)
  }

  @Test func `Files that cannot be read or are too long are refused`() throws {
    var sound: SystemSoundID = 7
    let nowhere = URL(fileURLWithPath: "/no/such/file.wav")
    #expect(AudioServicesCreateSystemSoundID(nowhere as CFURL, &sound) == -1500)
    #expect(sound == 0)
    let long = try Self.file(seconds: 31)
    defer { try? FileManager.default.removeItem(at: long) }
    #expect(AudioServicesCreateSystemSoundID(long as CFURL, &sound) == -1502)
  }

  @Test(arguments: [true, false])
  func `The block is called after the sound has been played`(isAlert: Bool) async throws {
    let sound = try Self.sound()
    await withCheckedContinuation { over in
      isAlert
        ? AudioServicesPlayAlertSoundWithCompletion(sound) { over.resume() }
        : AudioServicesPlaySystemSoundWithCompletion(sound) { over.resume() }
    }
    AudioServicesDisposeSystemSoundID(sound)
  }

  @Test(arguments: [
    0, 99_999_999, kSystemSoundID_FlashScreen, kSystemSoundID_Vibrate,
    kSystemSoundID_UserPreferredAlert,
  ])
  func `The block is called exactly once for every attempt`(sound: SystemSoundID) async {
    await withCheckedContinuation { over in
      AudioServicesPlaySystemSoundWithCompletion(sound) { over.resume() }
    }
  }

  @Test func `A sound that is disposed of while it is playing plays to its end`() async throws {
    let sound = try Self.sound(seconds: 0.3)
    let begin = ContinuousClock.now
    await withCheckedContinuation { over in
      AudioServicesPlaySystemSoundWithCompletion(sound) { over.resume() }
      #expect(AudioServicesDisposeSystemSoundID(sound) == 0)
    }
    #expect(ContinuousClock.now - begin >= .milliseconds(290))
  }

  @Test func `A completion function is called without a run loop, until it is removed`()
    async throws
  {
    final class Calls: Sendable {
      let sounds = Mutex<[SystemSoundID]>([])
    }
    let calls = Calls()
    let sound = try Self.sound()
    let data = Unmanaged.passUnretained(calls).toOpaque()
    let status = AudioServicesAddSystemSoundCompletion(
      sound, nil, nil,
      { sound, data in
        guard let data else { return }
        Unmanaged<Calls>.fromOpaque(data).takeUnretainedValue().sounds.withLock { $0.append(sound) }
      }, data)
    #expect(status == 0)
    await Self.play(sound)
    #expect(calls.sounds.withLock { $0 } == [sound])
    // Functions without a block also call the completion function.
    AudioServicesPlaySystemSound(sound)
    AudioServicesPlayAlertSound(sound)
    #expect(await wait { calls.sounds.withLock { $0 } == [sound, sound, sound] })
    calls.sounds.withLock { $0 = [sound] }
    AudioServicesRemoveSystemSoundCompletion(sound)
    await Self.play(sound)
    #expect(calls.sounds.withLock { $0 } == [sound])
    AudioServicesDisposeSystemSoundID(sound)
    #expect(AudioServicesAddSystemSoundCompletion(sound, nil, nil, { _, _ in }, nil) == -1500)
  }

  static func play(_ sound: SystemSoundID) async {
    await withCheckedContinuation { over in
      AudioServicesPlaySystemSoundWithCompletion(sound) { over.resume() }
    }
  }

  @Test func `Properties are read and set, and their sizes are checked`() throws {
    var sound = try Self.sound()
    defer { AudioServicesDisposeSystemSoundID(sound) }
    var value: UInt32 = 9
    var size: UInt32 = 0
    var isWritable: DarwinBoolean = false
    let isUI = kAudioServicesPropertyIsUISound
    let dies = kAudioServicesPropertyCompletePlaybackIfAppDies
    #expect(AudioServicesGetPropertyInfo(isUI, 4, &sound, &size, &isWritable) == 0)
    #expect(size == 4 && isWritable.boolValue)
    #expect(AudioServicesGetProperty(isUI, 4, &sound, &size, &value) == 0)
    #expect(value == 1)
    #expect(AudioServicesGetProperty(dies, 4, &sound, &size, &value) == 0)
    #expect(value == 0)
    value = 1
    #expect(AudioServicesSetProperty(dies, 4, &sound, 4, &value) == 0)
    value = 0
    #expect(AudioServicesSetProperty(isUI, 4, &sound, 4, &value) == 0)
    #expect(AudioServicesGetProperty(dies, 4, &sound, &size, &value) == 0)
    #expect(value == 1)
    #expect(AudioServicesGetProperty(isUI, 4, &sound, &size, &value) == 0)
    #expect(value == 0)
  }

  @Test func `Invalid arguments give specific error codes`() throws {
    var sound = try Self.sound()
    var value: UInt32 = 1
    var size: UInt32 = 2
    let isUI = kAudioServicesPropertyIsUISound
    #expect(
      AudioServicesGetProperty(isUI, 4, &sound, &size, &value) == kAudioServicesBadPropertySizeError
    )
    #expect(
      AudioServicesSetProperty(isUI, 4, &sound, 1, &value) == kAudioServicesBadPropertySizeError)
    #expect(AudioServicesSetProperty(isUI, 4, &sound, 4, nil) == kAudioServicesBadPropertySizeError)
    size = 4
    #expect(
      AudioServicesGetProperty(isUI, 3, &sound, &size, &value)
        == kAudioServicesBadSpecifierSizeError)
    #expect(
      AudioServicesGetProperty(isUI, 4, nil, &size, &value) == kAudioServicesBadSpecifierSizeError)
    #expect(
      AudioServicesGetProperty(1, 4, &sound, &size, &value)
        == kAudioServicesUnsupportedPropertyError)
    AudioServicesDisposeSystemSoundID(sound)
    #expect(AudioServicesGetProperty(isUI, 4, &sound, &size, &value) == -1500)
  }
}
