// SPDX-License-Identifier: Apache-2.0
// Converts a time to other formats, at a tempo: time-calculator '17|1' 130 sec smp clk
import MusicalTime

func answer(_ text: String, at tempo: Ratio, in names: ArraySlice<String>) throws {
  let map = TempoMap(ppqn: .standard, tempo: try Tempo(beatsPerMinute: tempo))
  var context = TimeContext(tempoMap: map, meterMap: .common)
  context.sampleRate = .hertz44100
  let position = try context.position(of: TimeExpression(text))
  for name in names {
    guard let format = TimeFormat(name: name) else {
      print("\(name): unknown format; choose one of", TimeFormat.allCases.map(\.rawValue))
      continue
    }
    let value = try context.value(of: position, in: format, rounding: .nearest)
    print(
      "\(name):\(try value.value.text(as: format))",
      value.isExact ? "" : "remainder \(value.residue)")
  }
}

let words = CommandLine.arguments.dropFirst()
if words.count > 2 {
  do {
    try answer(words[1], at: Ratio(parsing: words[2]), in: words.dropFirst(2))
  } catch {
    print(error)
  }
} else {
  print("usage: time-calculator TIME TEMPO FORMAT…")
}
