// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import MusicalTime

/// The host features given to a plug-in, valid while its instance exists.
@safe
final class HostFeatures {
  /// The null-terminated feature list for `instantiate`.
  let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  /// The plug-in's worker.
  let worker: UnsafeMutablePointer<WorkerKernel>
  private let log: UnsafeMutablePointer<CLilvLog>
  private var allocated: [UnsafeMutableRawPointer] = unsafe []
  private var count = 0

  init(_ configuration: LV2Configuration) {
    unsafe worker = .allocate(capacity: 1)
    unsafe worker.initialize(to: WorkerKernel(isInLine: configuration.working == .inLine))
    unsafe log = .allocate(capacity: 1)
    unsafe log.initialize(to: CLilvLog())
    unsafe list = .allocate(capacity: 16)
    unsafe list.initialize(repeating: nil, count: 16)
    let logging = unsafe keep(LV2_Log_Log())
    unsafe clilv_set_log(logging, log)
    let frames = Int32(configuration.framesPerRun)
    let schedule = unsafe LV2_Worker_Schedule(handle: worker, schedule_work: WorkerKernel.schedule)
    unsafe add(LV2Names.map, Self.map)
    unsafe add(LV2Names.unmap, Self.unmap)
    unsafe add(LV2Names.log, logging)
    unsafe add(LV2Names.options + "options", options(frames, Float(configuration.rate.hertz)))
    unsafe add(LV2Names.worker + "schedule", keep(schedule))
    for name in ["boundedBlockLength", "fixedBlockLength", "powerOf2BlockLength"] {
      unsafe add(LV2Names.bufSize + name, nil)
    }
    unsafe add(LV2Names.state + "loadDefaultState", nil)
    unsafe add(LV2Names.state + "threadSafeRestore", nil)
  }

  /// Adds a feature to the list.
  private func add(_ uri: String, _ data: UnsafeMutableRawPointer?) {
    unsafe list[count] = UnsafePointer(keep(LV2_Feature(URI: Self.text(uri), data: data)))
    count += 1
  }

  deinit {
    while let place = unsafe allocated.popLast() { unsafe place.deallocate() }
    unsafe list.deallocate()
    unsafe log.deallocate()
    unsafe worker.deinitialize(count: 1).deallocate()
  }

  /// The plug-in's last log message; empty if it has not logged any.
  var lastWords: String {
    var words = [CChar](repeating: 0, count: 256)
    guard unsafe clilv_last_words(log, &words, words.count) else { return "" }
    let letters = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: letters, as: UTF8.self)
    return String(text.filter { !$0.isNewline })
  }

  /// Number of lines that the plug-in has logged.
  var lineCount: Int { unsafe Int(log.pointee.count) }

  /// Maps URIs to numbers, for all instances; never freed or changed.
  nonisolated(unsafe) static let map = unsafe make(LV2_URID_Map(handle: nil, map: clilv_map))
  /// Maps numbers to URIs.
  nonisolated(unsafe) static let unmap = unsafe make(
    LV2_URID_Unmap(handle: nil, unmap: clilv_unmap))

  private static func make<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe place.initialize(to: value)
    return unsafe place
  }

  private func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let place = unsafe Self.make(value)
    unsafe allocated.append(UnsafeMutableRawPointer(place))
    return unsafe place
  }

  /// Returns the text of a URI, which is never freed.
  static func text(_ uri: String) -> UnsafePointer<CChar>? {
    unsafe clilv_unmap(nil, LV2Names.number(uri))
  }

  private func options(_ frames: Int32, _ rate: Float) -> UnsafeMutableRawPointer {
    let int = LV2Names.number(LV2Names.atom + "Int")
    let float = LV2Names.number(LV2Names.atom + "Float")
    let numbers: [(String, Int32)] = [
      ("minBlockLength", frames), ("maxBlockLength", frames), ("nominalBlockLength", frames),
      ("sequenceSize", Int32(SequenceKernel.capacity)),
    ]
    let options = UnsafeMutablePointer<LV2_Options_Option>.allocate(capacity: 6)
    unsafe options.initialize(repeating: LV2_Options_Option(), count: 6)
    for (index, (name, number)) in numbers.enumerated() {
      unsafe options[index] = option(LV2Names.bufSize + name, int, keep(number))
    }
    unsafe options[4] = option(LV2Names.sampleRate, float, keep(rate))
    unsafe allocated.append(UnsafeMutableRawPointer(options))
    return UnsafeMutableRawPointer(options)
  }

  private func option(
    _ key: String, _ type: UInt32, _ value: UnsafeMutableRawPointer
  ) -> LV2_Options_Option {
    unsafe LV2_Options_Option(
      context: LV2_OPTIONS_INSTANCE, subject: 0, key: LV2Names.number(key), size: 4, type: type,
      value: value)
  }
}
