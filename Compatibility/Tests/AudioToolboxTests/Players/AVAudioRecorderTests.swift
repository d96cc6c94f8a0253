// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioFiles
import AudioProcessing
import AudioToolbox
import Foundation
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Recorders, as programs for Apple's systems use them, on an input whose samples are known.
@Suite(.serialized) struct AVAudioRecorderTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Counts its frames: the sample of frame n is n / 2²⁰.
  private final class CountingInput: SoundInput {
    let rate: SampleRate
    let channelCount: Int
    let periodFrames = 441
    private var next = 0
    private let end: Int

    init(_ shape: RecorderInputShape, end: Int = .max) {
      rate = shape.rate
      channelCount = shape.channelCount
      self.end = end
    }

    struct Lost: Error {}

    func read() throws -> [Float] {
      usleep(2000)
      guard next < end else { throw Lost() }
      defer { next += periodFrames }
      return (next..<next + periodFrames).flatMap { frame in
        Array(repeating: Float(frame & 0xFFFFF) / 1_048_576, count: channelCount)
      }
    }
  }

  private final class Listener: NSObject, AVAudioRecorderDelegate, Sendable {
    let ends = Mutex<[Bool]>([])
    let errors = Mutex(0)

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
      ends.withLock { $0.append(flag) }
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
      errors.withLock { $0 += 1 }
    }
  }

  private static var float: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]
  }

  private func recorder(
    _ name: String = "take.wav", _ settings: [String: Any] = float, end: Int = .max
  ) throws -> (AVAudioRecorder, Listener) {
    let url = URL(fileURLWithPath: folder.path(name))
    let recorder = try AVAudioRecorder(url: url, settings: settings) {
      CountingInput($0, end: end)
    }
    let listener = Listener()
    recorder.delegate = listener
    return (recorder, listener)
  }

  /// The numbers of the frames in a file.
  private func frames(_ recorder: AVAudioRecorder) throws -> [Int] {
    let reader = try SoundFileReader(path: recorder.url.path)
    return reader.read(frameCount: 10_000_000).map { Int(($0 * 1_048_576).rounded()) }
  }

  private func exists(_ recorder: AVAudioRecorder) -> Bool {
    FileManager.default.fileExists(atPath: recorder.url.path)
  }

  @Test func `The file appears at the stop, with the samples of the input`() async throws {
    let (recorder, listener) = try recorder()
    #expect(recorder.currentTime == 0 && recorder.deviceCurrentTime == 0)
    #expect(recorder.prepareToRecord() && !recorder.isRecording)
    #expect(await PlayedFiles.wait { recorder.deviceCurrentTime > 0.02 })
    #expect(recorder.currentTime == 0)
    #expect(recorder.record() && recorder.isRecording && recorder.recording)
    #expect(await PlayedFiles.wait { recorder.currentTime > 0.1 })
    #expect(!exists(recorder))
    recorder.stop()
    #expect(!recorder.isRecording && recorder.currentTime == 0 && exists(recorder))
    let frames = try frames(recorder)
    let first = try #require(frames.first)
    #expect(first > 0 && frames.count > 4410)
    // Numbers of frames are modulo 2²⁰.
    let isWhole = zip(frames, frames.dropFirst()).allSatisfy { ($0 + 1) & 0xFFFFF == $1 }
    #expect(isWhole)
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    recorder.stop()
    #expect(recorder.deleteRecording() && !exists(recorder) && !recorder.deleteRecording())
  }

  @Test func `A recorder answers while its input is opened`() async throws {
    let entered = Mutex(false)
    let gate = DispatchSemaphore(value: 0)
    let recorder = try AVAudioRecorder(
      url: URL(fileURLWithPath: folder.path("slow.wav")), settings: Self.float
    ) { shape in
      entered.withLock { $0 = true }
      gate.wait()
      return CountingInput(shape)
    }
    let result = Mutex<Bool?>(nil)
    Thread.detachNewThread { result.withLock { $0 = recorder.record() } }
    #expect(await PlayedFiles.wait { entered.withLock { $0 } })
    #expect(!recorder.isRecording && recorder.currentTime == 0)
    recorder.pause()
    recorder.updateMeters()
    gate.signal()
    #expect(await PlayedFiles.wait { result.withLock { $0 } == true })
    #expect(recorder.isRecording)
    recorder.stop()
    #expect(exists(recorder))
  }

  @Test func `A recording with a time and a duration has these frames exactly`() async throws {
    let (recorder, listener) = try recorder()
    #expect(recorder.record(atTime: 0.25, forDuration: 0.1))
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    let isExact = try frames(recorder).elementsEqual(11_025..<15_435)
    #expect(isExact)
    #expect(!recorder.isRecording)
    #expect(recorder.record(forDuration: 0.05))
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true, true] })
    #expect(try frames(recorder).count == 2205)
  }

  @Test func `A pause leaves out the sound in between`() async throws {
    let (recorder, _) = try recorder()
    #expect(recorder.record())
    #expect(await PlayedFiles.wait { recorder.currentTime > 0.05 })
    recorder.pause()
    #expect(!recorder.isRecording)
    let time = recorder.deviceCurrentTime
    #expect(await PlayedFiles.wait { recorder.deviceCurrentTime > time + 0.05 })
    #expect(recorder.record())
    let before = recorder.currentTime
    #expect(await PlayedFiles.wait { recorder.currentTime > before + 0.05 })
    recorder.stop()
    let frames = try frames(recorder)
    let jumps = zip(frames, frames.dropFirst()).filter { $1 != ($0 + 1) & 0xFFFFF }
    #expect(jumps.count == 1)
  }

  @Test func `A recorder that is freed completes its file`() async throws {
    var recorder: AVAudioRecorder? = try recorder().0
    let url = try #require(recorder).url
    #expect(recorder?.record() == true)
    #expect(await PlayedFiles.wait { (recorder?.currentTime ?? 0) > 0.02 })
    recorder = nil
    #expect(await PlayedFiles.wait { FileManager.default.fileExists(atPath: url.path) })
    #expect(try AVAudioFile(forReading: url).length > 0)
  }

  @Test func `A recording in progress is completed when the process exits`() async throws {
    let path = folder.path("exit.wav")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let recorder = try AVAudioRecorder(
        url: URL(fileURLWithPath: path), settings: AVAudioRecorderTests.float
      ) { CountingInput($0) }
      guard recorder.record() else { exit(1) }
      while recorder.currentTime < 0.02 { usleep(1000) }
      _ = Unmanaged.passRetained(recorder)
      exit(0)
    }
    #expect(try AVAudioFile(forReading: URL(fileURLWithPath: path)).length > 0)
  }

  @Test func `A deleted recording leaves nothing, in progress too`() async throws {
    let (recorder, listener) = try recorder()
    #expect(recorder.record())
    #expect(await PlayedFiles.wait { recorder.currentTime > 0.02 })
    #expect(recorder.deleteRecording())
    #expect(!recorder.isRecording && !exists(recorder))
    #expect(
      await PlayedFiles.wait {
        do {
          return try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty
        } catch {
          return false
        }
      })
    #expect(listener.ends.withLock { $0.isEmpty })
  }

  @Test func `A lost input ends the recording, whose file is complete`() async throws {
    let (recorder, listener) = try recorder(end: 4410)
    #expect(recorder.record())
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [false] })
    #expect(try frames(recorder).last == 4409)
    #expect(!recorder.isRecording)
  }

  @Test func `Meters and muting`() async throws {
    let (recorder, _) = try recorder()
    recorder.isMeteringEnabled = true
    recorder.updateMeters()
    #expect(recorder.peakPower(forChannel: 0) == -160)
    #expect(recorder.record(atTime: 4, forDuration: 100))
    #expect(
      await PlayedFiles.wait {
        recorder.updateMeters()
        return recorder.averagePower(forChannel: 0) > -20
      })
    #expect(recorder.peakPower(forChannel: 1) == -160)
    recorder.stop()
    try AVAudioApplication.shared.setInputMuted(true)
    #expect(AVAudioApplication.shared.isInputMuted)
    let (muted, listener) = try self.recorder("muted.wav")
    #expect(muted.record(atTime: 0.1, forDuration: 0.1))
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    #expect(try frames(muted).allSatisfy { $0 == 0 } && frames(muted).count == 4410)
    try AVAudioApplication.shared.setInputMuted(false)
  }

  @Test(arguments: [
    ("a.caf", kAudioFormatLinearPCM, true), ("a.caf", kAudioFormatLinearPCM, false),
    ("a.aif", kAudioFormatLinearPCM, true), ("a.aifc", kAudioFormatLinearPCM, false),
    ("a.wav", kAudioFormatULaw, false), ("a.caf", kAudioFormatAppleIMA4, false),
  ])
  func `Settings select the container, the encoding and the order of bytes`(
    name: String, id: UInt32, isBigEndian: Bool
  ) async throws {
    let (recorder, listener) = try recorder(
      name,
      [
        AVFormatIDKey: id, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16, AVLinearPCMIsBigEndianKey: isBigEndian,
      ])
    #expect(recorder.format.sampleRate == 8000 && recorder.format.channelCount == 2)
    #expect(recorder.settings[AVFormatIDKey] as? UInt32 == id)
    if id == kAudioFormatLinearPCM {
      #expect(recorder.settings[AVLinearPCMIsBigEndianKey] as? Bool == isBigEndian)
    }
    #expect(recorder.record(forDuration: 0.2))
    #expect(await PlayedFiles.wait { listener.ends.withLock { $0 } == [true] })
    let reader = try SoundFileReader(path: recorder.url.path)
    #expect(reader.channelCount == 2 && reader.rate.hertz == 8000 && reader.frameCount >= 1600)
  }

  @Test func `A format in place of settings, and usual settings`() throws {
    let url = URL(fileURLWithPath: folder.path("a.caf"))
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2,
        interleaved: false))
    let recorder = try AVAudioRecorder(url: url, format: format)
    #expect(recorder.format.isInterleaved && recorder.format.sampleRate == 48_000)
    let usual = try AVAudioRecorder(url: url, settings: [:])
    #expect(usual.format.sampleRate == 44_100 && usual.format.channelCount == 2)
    #expect(usual.url == url)
  }

  @Test func `Impossible files are refused`() throws {
    let cases: [(String, [String: Any], UInt32)] = [
      ("a.xyz", [:], 0x7479_703F), ("a.wav", [AVFormatIDKey: kAudioFormatAppleIMA4], 0x666D_743F),
      ("a.wav", [AVSampleRateKey: -1], 0x666D_743F), ("a.wav", [AVSampleRateKey: "x"], 0x666D_743F),
      ("a.m4a", [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 12_345], 0x666D_743F),
      ("a.wav", [AVNumberOfChannelsKey: 0], 0x666D_743F),
    ]
    for (name, settings, code) in cases {
      let error = #expect(throws: NSError.self) {
        try AVAudioRecorder(url: URL(fileURLWithPath: folder.path(name)), settings: settings)
      }
      #expect(error?.code == Int(code), "\(name) \(settings)")
    }
    let recorder = try AVAudioRecorder(
      url: URL(fileURLWithPath: "/no/such/folder/a.wav"), settings: [:])
    #expect(!recorder.prepareToRecord() && !recorder.record() && !recorder.isRecording)
  }

  @Test func `The session's input records, and silence without one`() async throws {
    let url = URL(fileURLWithPath: folder.path("session.wav"))
    let recorder = try AVAudioRecorder(url: url, settings: Self.float)
    try #require(recorder.record(forDuration: 0.1))
    #expect(await PlayedFiles.wait { !recorder.isRecording })
    #expect(await PlayedFiles.wait { exists(recorder) })
    #expect(try frames(recorder).count == 4410)
  }

  @Test func `Random calls from two threads do no harm`() async throws {
    let (recorder, _) = try recorder()
    await withTaskGroup(of: Void.self) { group in
      for seed in 1...2 {
        group.addTask {
          for index in 0..<300 {
            switch (index * 7 + seed * 3 + index / 11) % 9 {
            case 0: recorder.record()
            case 1: recorder.pause()
            case 2: recorder.stop()
            case 3: recorder.deleteRecording()
            case 4: recorder.record(forDuration: Double(index % 5) / 1000)
            case 5: recorder.updateMeters()
            case 6: recorder.record(atTime: .nan, forDuration: .infinity)
            case 7: _ = recorder.currentTime + recorder.deviceCurrentTime
            default: recorder.prepareToRecord()
            }
          }
        }
      }
    }
    recorder.stop()
    #expect(!recorder.isRecording)
  }
}
