// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import Foundation
import Synchronization
import Testing

extension AVAudioSessionTests {
  /// The functions of AudioSession.h, which share their state with the class.
  @Test func `Properties by the functions of C`() throws {
    var (size, flag) = (UInt32(4), UInt32(7))
    #expect(AudioSessionGetProperty(kAudioSessionProperty_AudioInputAvailable, &size, &flag) == 0)
    #expect(flag == (AVAudioSession.sharedInstance().isInputAvailable ? 1 : 0) && size == 4)
    var category = kAudioSessionCategory_PlayAndRecord
    #expect(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category) == 0)
    #expect(AVAudioSession.sharedInstance().category == .playAndRecord)
    var mixes: UInt32 = 1
    #expect(
      AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, 4, &mixes) == 0)
    #expect(AVAudioSession.sharedInstance().categoryOptions == .mixWithOthers)
    var rate = 32_000.0
    #expect(
      AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, &rate) == 0)
    #expect(AVAudioSession.sharedInstance().preferredSampleRate == 32_000)
    rate = 0
    AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, &rate)
    var current = 0.0
    size = 8
    #expect(
      AudioSessionGetProperty(
        kAudioSessionProperty_CurrentHardwareSampleRate, &size, &current) == 0)
    #expect(current >= 8000)
    #expect(AudioSessionSetActive(true) == 0 && AudioSessionSetActiveWithFlags(false, 1) == 0)
  }

  @Test func `Invalid calls of the functions of C return Apple's codes`() {
    var (size, value) = (UInt32(3), UInt32(0))
    let available = kAudioSessionProperty_AudioInputAvailable
    #expect(AudioSessionGetProperty(available, &size, &value) == kAudioSessionBadPropertySizeError)
    #expect(AudioSessionGetProperty(1, &size, &value) == kAudioSessionUnsupportedPropertyError)
    #expect(AudioSessionGetProperty(available, nil, &value) == -50)
    #expect(AudioSessionGetProperty(available, &size, nil) == -50)
    #expect(AudioSessionGetPropertySize(available, &size) == 0 && size == 4)
    #expect(AudioSessionGetPropertySize(1, &size) == kAudioSessionUnsupportedPropertyError)
    let category = kAudioSessionProperty_AudioCategory
    #expect(AudioSessionSetProperty(category, 4, &value) == kAudioSessionIncompatibleCategory)
    #expect(AudioSessionSetProperty(category, 2, &value) == kAudioSessionBadPropertySizeError)
    #expect(AudioSessionSetProperty(category, 4, nil) == -50)
    #expect(
      AudioSessionSetProperty(available, 4, &value) == kAudioSessionUnsupportedPropertyError)
    var rate = -1.0
    #expect(
      AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, &rate) == -50)
  }

  private final class Record: Sendable {
    let events = Mutex<[UInt32]>([])
  }

  // The listener for interruptions cannot be removed.
  private static let record = Record()

  @Test func `Listeners of the functions of C are called for device loss and return`()
    async throws
  {
    let record = Self.record
    SystemSession.shared.waitForListeners()
    record.events.withLock { $0 = [] }
    let data = Unmanaged.passUnretained(record).toOpaque()
    let interruption: AudioSessionInterruptionListener = { data, state in
      guard let data else { return }
      Unmanaged<Record>.fromOpaque(data).takeUnretainedValue().events.withLock { $0.append(state) }
    }
    let route: AudioSessionPropertyListener = { data, property, size, value in
      guard let data, let value, size == 8 else { return }
      let info = Unmanaged<NSDictionary>.fromOpaque(value).takeUnretainedValue()
      let reason = info[kAudioSession_AudioRouteChangeKey_Reason] as? NSNumber
      Unmanaged<Record>.fromOpaque(data).takeUnretainedValue().events.withLock {
        $0.append(100 + (reason?.uint32Value ?? 0))
      }
    }
    let property = kAudioSessionProperty_AudioRouteChange
    let isFirst = AudioSessionInitialize(nil, nil, interruption, data) == 0
    #expect(
      AudioSessionInitialize(nil, nil, interruption, data) == kAudioSessionAlreadyInitialized)
    #expect(AudioSessionAddPropertyListener(property, route, data) == 0)
    SystemSession.shared.setAway(true)
    SystemSession.shared.setAway(false)
    let expected: [UInt32] = isFirst ? [1, 102, 101, 0] : [102, 101]
    // A change of the category from before the test may be among them.
    #expect(
      await PlayedFiles.wait {
        record.events.withLock { $0.filter { $0 != 103 } } == expected
      })
    #expect(AudioSessionRemovePropertyListenerWithUserData(property, route, data) == 0)
    #expect(AudioSessionRemovePropertyListenerWithUserData(property, route, data) == -50)
    #expect(AudioSessionAddPropertyListener(property, nil, data) == -50)
  }
}
