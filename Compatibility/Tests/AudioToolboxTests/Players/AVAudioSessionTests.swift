// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import Foundation
import Synchronization
import TestSupport
import Testing

/// The audio session: one of a process, so that its tests run one after another.
@Suite(.serialized) struct AVAudioSessionTests {
  private let session = AVAudioSession.sharedInstance()

  private final class Notices: Sendable {
    let all = Mutex<[String]>([])
    nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []

    init() {
      for name in [
        AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification,
      ] {
        tokens.append(
          NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
            [self] in note($0)
          })
      }
    }

    /// The texts without changes of the category.
    var device: [String] {
      all.withLock { $0.filter { !$0.hasPrefix("RouteChangeNotification 3") } }
    }

    func end() {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    private func note(_ notice: Notification) {
      let info = notice.userInfo ?? [:]
      var text = notice.name.rawValue.replacingOccurrences(of: "AVAudioSession", with: "")
      if let value = info[AVAudioSessionInterruptionTypeKey] as? UInt {
        text += " \(value)"
      }
      if let value = info[AVAudioSessionInterruptionOptionKey] as? UInt {
        text += " options \(value)"
      }
      if let value = info[AVAudioSessionInterruptionReasonKey] as? UInt {
        text += " reason \(value)"
      }
      if let value = info[AVAudioSessionRouteChangeReasonKey] as? UInt { text += " \(value)" }
      let route = info[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
      if let route { text += " outputs \(route.outputs.count)" }
      all.withLock { $0.append(text) }
    }
  }

  @Test func `Categories, modes and options are set in new and old forms`() async throws {
    try session.setCategory(.soloAmbient)
    SystemSession.shared.waitForListeners()
    let notices = Notices()
    defer { notices.end() }
    try session.setCategory(.playback)
    #expect(session.category == .playback && session.mode == .default)
    try session.setCategory(.playAndRecord, options: [.defaultToSpeaker, .mixWithOthers])
    #expect(session.categoryOptions == [.mixWithOthers, .defaultToSpeaker])
    try session.setCategory(.playAndRecord, mode: .measurement, options: .duckOthers)
    try session.setCategory(
      .playback, mode: .spokenAudio, policy: .longFormAudio, options: [])
    #expect(session.routeSharingPolicy == .longFormAudio && session.mode == .spokenAudio)
    try session.setCategory(AVAudioSessionCategoryRecord)
    #expect(session.category == .record && session.routeSharingPolicy == .default)
    try session.setCategory(AVAudioSessionCategoryAmbient, with: .mixWithOthers)
    try session.setCategory(
      AVAudioSessionCategoryPlayback, mode: AVAudioSessionModeDefault, options: [])
    try session.setMode(AVAudioSessionModeMeasurement)
    try session.setMode(.default)
    try session.setActive(true)
    try session.setActive(false, options: .notifyOthersOnDeactivation)
    try session.setActive(false, with: .notifyOthersOnDeactivation)
    #expect(throws: NSError.self) { try session.setCategory("nothing") }
    #expect(throws: NSError.self) {
      try session.setMode(AVAudioSession.Mode(rawValue: "nothing"))
    }
    #expect(session.category == .playback)
    try session.overrideOutputAudioPort(.speaker)
    let count = 10
    let override = "RouteChangeNotification 4 outputs 1"
    #expect(await PlayedFiles.wait { notices.all.withLock { $0.last == override } })
    // A change from before the test may be among them.
    #expect(
      notices.all.withLock { Array($0.suffix(count)) } == Array(
        repeating: "RouteChangeNotification 3 outputs 1", count: count - 1) + [override])
  }

  @Test func `Device loss and return are interruptions and changes of the route`() async throws {
    try session.setCategory(.playback)
    SystemSession.shared.waitForListeners()
    let notices = Notices()
    defer { notices.end() }
    SystemSession.shared.setAway(true)
    SystemSession.shared.setAway(true)
    #expect(await PlayedFiles.wait { notices.device.count == 2 })
    #expect(session.currentRoute.outputs.isEmpty)
    SystemSession.shared.setAway(false)
    #expect(await PlayedFiles.wait { notices.device.count == 4 })
    #expect(session.currentRoute.outputs.count == 1)
    #expect(
      notices.device == [
        "InterruptionNotification 1 reason 4", "RouteChangeNotification 2 outputs 1",
        "RouteChangeNotification 1 outputs 0", "InterruptionNotification 0 options 1",
      ])
  }

  @Test func `Preferred values are checked and stored`() throws {
    try session.setPreferredSampleRate(44_100)
    #expect(session.preferredSampleRate == 44_100)
    try session.setPreferredIOBufferDuration(0.005)
    #expect(session.preferredIOBufferDuration == 0.005)
    #expect(session.sampleRate >= 8000 && session.ioBufferDuration > 0)
    for value in [-1, Double.nan, .infinity] {
      #expect(throws: NSError.self) { try session.setPreferredSampleRate(value) }
      #expect(throws: NSError.self) { try session.setPreferredIOBufferDuration(value) }
    }
    try session.setPreferredSampleRate(0)
    try session.setPreferredIOBufferDuration(0)
    try session.setPreferredInputNumberOfChannels(1)
    try session.setPreferredOutputNumberOfChannels(2)
    #expect(session.preferredInputNumberOfChannels == 1)
    #expect(session.preferredOutputNumberOfChannels == 2)
    #expect(throws: NSError.self) { try session.setPreferredInputNumberOfChannels(3) }
    #expect(throws: NSError.self) { try session.setPreferredOutputNumberOfChannels(-1) }
  }

  @Test func `Periods have whole quanta within their range`() throws {
    let system = SystemSession.shared
    for (seconds, frames) in [(0, 256), (1e-9, 64), (0.005, 256), (0.02, 960), (9, 4096)] {
      try session.setPreferredIOBufferDuration(seconds)
      #expect(system.nextPeriodFrames == frames)
    }
    try session.setPreferredIOBufferDuration(0)
    for (rate, next) in [(44_100.0, 44_100.0), (7999, 48_000), (1e12, 48_000), (0, 48_000)] {
      try session.setPreferredSampleRate(rate)
      #expect(system.nextRate == next)
    }
  }

  @Test func `Ports describe devices`() throws {
    let output = try #require(session.currentRoute.outputs.first)
    #expect(!output.portName.isEmpty && !output.uid.isEmpty && output.channels?.count == 2)
    #expect(session.outputNumberOfChannels == 2 && session.outputVolume == 1)
    let inputs = try #require(session.availableInputs)
    #expect(inputs.isEmpty != session.isInputAvailable)
    #expect(throws: NSError.self) { try session.setPreferredInput(output) }
    if let input = inputs.first {
      try session.setPreferredInput(input)
      #expect(session.preferredInput == input)
    }
    try session.setPreferredInput(nil)
    #expect(session.preferredInput == nil)
    #expect(throws: NSError.self) { try session.setInputGain(1) }
  }

  @Test func `Recording is permitted`() async {
    #expect(session.recordPermission == .granted)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    #expect(await AVAudioApplication.requestRecordPermission())
    let answers = Mutex(0)
    await withCheckedContinuation { continuation in
      session.requestRecordPermission { granted in
        answers.withLock { $0 += granted ? 1 : 0 }
        AVAudioApplication.requestRecordPermission { granted in
          answers.withLock { $0 += granted ? 1 : 0 }
          continuation.resume()
        }
      }
    }
    #expect(answers.withLock { $0 } == 2)
  }

  @Test func `Constants are Apple's`() {
    #expect(AVAudioSession.Category.playback.rawValue == "AVAudioSessionCategoryPlayback")
    #expect(AVAudioSession.CategoryOptions.defaultToSpeaker.rawValue == 8)
    #expect(AVAudioSession.CategoryOptions.duckOthers.rawValue == 2)
    #expect(AVAudioSession.RecordPermission.granted.rawValue == 0x6772_6E74)
    #expect(AVAudioSession.PortOverride.speaker.rawValue == 0x7370_6B72)
    #expect(AVAudioSession.ErrorCode.isBusy.rawValue == 560_030_580)
    #expect(NSNotification.Name.AVAudioSessionRouteChange.rawValue.hasSuffix("ChangeNotification"))
    #expect(AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
  }

  @Test func `Playback by others is read from the kernel`() throws {
    let folder = try ScratchFolder()
    let status = folder.path("card0/pcm0p/sub0")
    try FileManager.default.createDirectory(atPath: status, withIntermediateDirectories: true)
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: status + "/status"))
    }
    #expect(!OtherPlayback.exists(in: folder.path("")))
    try write("closed\n")
    #expect(!OtherPlayback.exists(in: folder.path("")))
    try write("state: RUNNING\nowner_pid   : 1\n")
    #expect(OtherPlayback.exists(in: folder.path("")))
    try write("state: RUNNING\nowner_pid   : \(ProcessInfo.processInfo.processIdentifier)\n")
    #expect(!OtherPlayback.exists(in: folder.path("")))
    #expect(!OtherPlayback.exists(in: "/no/such/folder"))
  }
}
