// SPDX-License-Identifier: Apache-2.0

/// Forty texts of at least twenty letters in twelve encodings, as in songs.
///
/// They are from old songs and poems, and from the titles and credits that musicians write.
enum EncodingTable {
  static let texts: [(encoding: String, text: String)] = [
    ("CP1252", "Über den Wolken, süßer die Glocken, schöne Grüße"),
    ("CP1252", "O TANNENBAUM, WIE GRÜN DIE BLÄTTER, MÜDE BIN ICH, HÖR ZÜGE ÄCHZEN"),
    ("CP1252", "Où est passé l’été, où sont les œuvres d’antan – à bientôt"),
    ("CP1252", "“Don’t stop” – he said… “won’t you?” — it’s over"),
    ("CP1252", "¿Dónde está mi corazón? La última canción, mañana será"),
    ("CP1252", "Não são as lágrimas, é a canção do mar, coração"),
    ("CP1252", "Så skön som en sommarnatt, där går en älskling på ängen"),
    ("CP1252", "Perché no? Così è la vita, è già più bella, città"),
    ("CP932", "春のうららの隅田川のぼりくだりの船人が櫂のしずくも"),
    ("CP932", "サクラサクラ　ヤヨイノソラハ　ミワタスカギリ"),
    ("CP932", "ｷﾐｶﾞﾖﾊ ﾁﾖﾆﾔﾁﾖﾆ ｻｻﾞﾚｲｼﾉ ｲﾜｵﾄﾅﾘﾃ"),
    ("CP932", "東京都交響楽団第九番交響曲演奏会実況録音全曲"),
    ("EUC-JP", "荒城の月　作曲　滝廉太郎　作詞　土井晩翠　編曲者不明"),
    ("EUC-JP", "ギター ベース ドラムス オルガン ボーカル コーラス"),
    ("EUC-JP", "いろはにほへとちりぬるをわかよたれそつねならむ"),
    ("EUC-KR", "동해물과 백두산이 마르고 닳도록 하느님이 보우하사"),
    ("EUC-KR", "아리랑 아리랑 아라리요 아리랑 고개로 넘어간다"),
    ("EUC-KR", "나의 살던 고향은 꽃피는 산골 복숭아꽃 살구꽃 아기"),
    ("GBK", "床前明月光疑是地上霜举头望明月低头思故乡"),
    ("GBK", "起来不愿做奴隶的人们把我们的血肉筑成新的长城"),
    ("GBK", "好一朵美丽的茉莉花芬芳美丽满枝桠又香又白人人夸"),
    ("Big5", "滾滾長江東逝水浪花淘盡英雄是非成敗轉頭空青山"),
    ("Big5", "明月幾時有把酒問青天不知天上宮闕今夕是何年"),
    ("Big5", "作曲：鄧雨賢　編曲：陳秋霖　作詞：李臨秋　望春風的歌"),
    ("KOI8-R", "Ой, цветёт калина в поле у ручья, парня молодого"),
    ("KOI8-R", "ЭЙ, УХНЕМ! ЕЩЁ РАЗИК, ЕЩЁ РАЗ, РАЗОВЬЁМ МЫ БЕРЁЗУ"),
    ("KOI8-R", "Очи чёрные, очи страстные, очи жгучие и прекрасные"),
    ("CP1251", "Вечерний звон, вечерний звон, как много дум наводит он"),
    ("CP1251", "ВО ПОЛЕ БЕРЁЗА СТОЯЛА, ВО ПОЛЕ КУДРЯВАЯ СТОЯЛА"),
    ("CP1251", "Ніч яка місячна, зоряна, ясная, видно, хоч голки збирай"),
    ("CP1251", "По дол га ми, по го рам, од но звуч но гре мит"),
    ("CP1250", "Zażółć gęślą jaźń, hej, sokoły, omijajcie góry, lasy, doły"),
    ("CP1250", "Kde domov můj, voda hučí po lučinách, bory šumí po skalinách"),
    ("CP1250", "Tavaszi szél vizet áraszt, őszi szőlő, gyönyörű idő, hűvös szellő"),
    ("CP1250", "Tancuj, tancuj, vykrúcaj, vykrúcaj, len mi piecku nezrúcaj, čižmy, ľúbosť"),
    ("CP437", "Für schöne Mädchen größere Grüße, natürlich über München"),
    ("CP437", "Aux marches du palais, où est passé l'été, après la fête, déjà"),
    ("UTF-8", "Große Fuge für Streichquartett – zażółć gęślą jaźń"),
    ("UTF-8", "春が来た　春が来た　どこに来た　山に来た　里に来た"),
    ("UTF-16", "Мелодия и грустные стихи, ноты для фортепиано"),
  ]
}
