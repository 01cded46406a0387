"""The keyword leg alone, on passages as people write them: the right one first, siblings behind or absent."""

# ruff: noqa: E501 - one case a line reads better than one case in six

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from prism.stores.keyword_view import KeywordView
from prism.stores.keywords import KeywordIndex, LeafTokens
from prism.text.tokens import tokenize


def view_of(*passages: str) -> KeywordView:
    index = KeywordIndex(Path("unused"))
    index.add(LeafTokens(str(at), "d", 1, tokenize(passage)) for at, passage in enumerate(passages))
    return index.view({"d": 1})


def ranking(query: str, *passages: str) -> list[str]:
    hits = view_of(*passages).search(query, 50)
    assert all(hit.score > 0 for hit in hits)
    return [passages[int(hit.node_id)] for hit in hits]


def assert_first(query: str, expected: str, *siblings: str) -> None:
    """`expected` is first with a score above every sibling's, whichever was indexed first."""
    for passages in ((expected, *siblings), (*siblings, expected)):
        view = view_of(*passages)
        hits = view.search(query, 50)
        assert hits, f"{query!r} finds nothing"
        assert passages[int(hits[0].node_id)] == expected
        assert len(hits) == 1 or hits[0].score > hits[1].score


CODES = ["Part LQT-6312 is in rack 4.", "Part LQT-2051 is in rack 4.", "Part LQT-8840 is in rack 4."]


@pytest.mark.parametrize(
    ("query", "at"),
    [
        ("LQT-6312", 0),
        ("lqt-2051", 1),
        ("Where is LQT-8840?", 2),
        ("6312", 0),
        ("LQT 2051", 1),
        ("LQT8840", 2),
    ],
)
def test_ret_07_a_code_or_a_fragment_finds_its_passage_before_sibling_codes(query: str, at: int) -> None:
    assert_first(query, CODES[at], *(code for code in CODES if code != CODES[at]))


@pytest.mark.parametrize(
    ("query", "expected", "siblings"),
    [
        ("6312", "Ticket 6312 is closed.", ["Ticket LQT-6312 is closed.", "Ticket 16312 is closed."]),
        ("K_TRN_BX_07", "Run K_TRN_BX_07 failed.", ["Run K_TRN_BX_08 failed.", "Run K_TRN_BY_07 failed.", "Run BX 07 failed."]),
        ("RBI/2025-26/01", "Circular RBI/2025-26/01 applies.", ["Circular RBI/2025-26/10 applies.", "Circular RBI/2024-25/01 applies."]),
        ("0x80070005", "Error 0x80070005: access denied.", ["Error 0x80070057: access denied.", "Error 0x8007: access denied."]),
        ("v2.3.1", "Fixed in v2.3.1 of the tool.", ["Fixed in v2.3.10 of the tool.", "Fixed in v2.3 of the tool.", "Fixed in v1.2.3.1 of the tool."]),
        ("version 2.3.1", "Fixed in v2.3.1 of the tool.", ["Fixed in v2.3.2 of the tool.", "Fixed in v3.1 of the tool."]),
        ("01.04.2025", "Valid from 01.04.2025 on.", ["Valid from 04.01.2025 on.", "Valid from 01.04.2024 on.", "Valid from 11.04.2025 on."]),
        ("2025-04-01", "Valid from 01.04.2025 on.", ["Valid from 02.04.2025 on.", "Valid from 01.05.2025 on."]),
        ("help@example.org", "Write to help@example.org soon.", ["Write to info@example.org soon.", "Write for help soon."]),
        ("INV/23-24/0091", "Invoice INV/23-24/0091 is due.", ["Invoice INV/23-24/0019 is due.", "Invoice INV/24-25/0091 is due."]),
        ("CVE-2024-3094", "Patch CVE-2024-3094 now.", ["Patch CVE-2024-3095 now.", "Patch CVE-2023-3094 now."]),
        ("ISO 27001", "Certified to ISO 27001.", ["Certified to ISO 9001.", "Certified to ISO 27017."]),
        ("10.0.0.12", "The server is 10.0.0.12 here.", ["The server is 10.0.0.1 here.", "The server is 10.0.0.120 here."]),
    ],
)  # fmt: skip
def test_ret_07_identifiers_of_other_makes_rank_their_own_passage_first(
    query: str, expected: str, siblings: list[str]
) -> None:
    assert_first(query, expected, *siblings)


CLAUSES = [f"Section {number} says how notice is given." for number in ("7(a)", "7(b)", "17(b)", "70(b)")]


@pytest.mark.parametrize(
    "query", ["Section 7(b)", "7(b)", "section 7 (b)", "What does Section 7(b) say?", "7b"]
)
def test_ret_10_a_section_number_is_not_part_of_a_longer_one(query: str) -> None:
    assert_first(query, CLAUSES[1], CLAUSES[0], *CLAUSES[2:])


@pytest.mark.parametrize(
    ("query", "expected", "siblings"),
    [
        ("Rule 823", "Rule 823 covers refunds.", ["Rule 1823 covers refunds.", "Rule 8230 covers refunds."]),
        ("4.2.1(a)(iii)", "Clause 4.2.1(a)(iii) holds.", ["Clause 4.2.1(a)(ii) holds.", "Clause 4.2.1(b)(iii) holds.", "Clause 14.2.1(a)(iii) holds."]),
        ("clause 4.2.1", "Clause 4.2.1 holds.", ["Clause 4.2.1(a) holds.", "Clause 4.2 holds.", "Clause 4.2.10 holds."]),
        ("4.2", "Clause 4.2 holds.", ["Clause 4.2.1 holds.", "Clause 14.2 holds.", "Clause 4.20 holds."]),
        ("12A(2)", "Section 12A(2) holds.", ["Section 12A(3) holds.", "Section 12B(2) holds.", "Section 12(2) holds."]),
        ("धारा 7(b)", "धारा 7(b) लागू है।", ["धारा 7(a) लागू है।", "धारा 17(b) लागू है।"]),
        ("धारा ८२३", "धारा 823 लागू है।", ["धारा 1823 लागू है।", "धारा 82 लागू है।"]),
    ],
)  # fmt: skip
def test_ret_10_other_section_numbers_are_told_apart(query: str, expected: str, siblings: list[str]) -> None:
    assert_first(query, expected, *siblings)


@pytest.mark.parametrize(
    "query",
    [
        "₹1,25,000",
        "Rs. 1,25,000",
        "Rs.1,25,000/-",
        "INR 125000",
        "125000",
        "१,२५,०००",
        "₹1.25 lakh",
        "₹ 125,000",
    ],
)
def test_ret_11_an_amount_is_found_however_it_is_written(query: str) -> None:
    assert_first(
        query, "The limit is ₹1,25,000 a day.", "The limit is ₹2,25,000 a day.", "The limit is ₹25,000 a day."
    )


@pytest.mark.parametrize(
    ("query", "expected", "siblings"),
    [
        ("$3.5M", "Revenue was $3.5M last year.", ["Revenue was $3.5B last year.", "Revenue was $35M last year.", "Revenue was $5M last year."]),
        ("$3.5 million", "Revenue was $3.5M last year.", ["Revenue was $4.5M last year.", "Revenue was $3.6M last year."]),
        ("€1.234,56", "The fee is €1.234,56 in all.", ["The fee is €1.234,65 in all.", "The fee is €234,56 in all."]),
        ("1 234 567", "Total 1,234,567 units.", ["Total 1,234,568 units.", "Total 234,567 units."]),
        ("25%", "A levy of 25% applies.", ["A levy of 25 rupees applies.", "A levy of 2.5% applies.", "A levy of 125% applies."]),
        ("2 crore", "Up to ₹2,00,00,000 is insured.", ["Up to ₹2,00,000 is insured.", "Up to ₹20,000 is insured."]),
        ("C++", "We write C++ here.", ["We write C here.", "We write C# here."]),
        ("C#", "We write C# here.", ["We write C here.", "We write C++ here."]),
        (".NET", "We run .NET here.", ["We run a net here.", "We run Java here."]),
        ("R&D", "The R&D budget grew.", ["The D budget grew.", "The M&A budget grew."]),
        ("AT&T", "AT&T signed it.", ["The team at T signed it.", "A&T signed it."]),
        ("IT policy", "The IT policy covers laptops.", ["It covers laptops by policy.", "The HR policy covers laptops."]),
        ("US", "Sales in the US fell.", ["They told us sales fell.", "Sales in the UK fell."]),
        ("WHO", "The WHO advises it.", ["The man who advises it.", "The IMF advises it."]),
        ("OR", "The OR gate is high.", ["This or that gate is high.", "The AND gate is high."]),
        ("Vitamin A", "Vitamin A is stored.", ["A vitamin is stored.", "Vitamin B is stored."]),
    ],
)  # fmt: skip
def test_ret_11_amounts_codes_and_symbols_are_found_whole(
    query: str, expected: str, siblings: list[str]
) -> None:
    assert_first(query, expected, *siblings)


HINDI = ["हिन्दी में ऋण सीमा दो लाख", "बैंक की शाखा सोमवार को बंद", "ब्याज दर बढ़ गई"]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("query", ["सीमा", "हिन्दी", "हिंदी", "सीमाएँ", "ऋण की सीमा क्या है?"])
def test_ret_12_hindi_words_are_found_whole_in_any_normal_form(query: str, form: str) -> None:
    assert ranking(unicodedata.normalize(form, query), *HINDI) == HINDI[:1]
    assert ranking(query, *(unicodedata.normalize(form, text) for text in HINDI))


@pytest.mark.parametrize(
    ("query", "expected", "sibling"),
    [
        ("বেতন", "কর্মীদের বেতন মাসের শেষে দেওয়া হয়", "ছুটির আবেদন অনলাইনে করুন"),
        ("விடுமுறை", "ஆண்டு விடுமுறை இருபது நாட்கள்", "சம்பளம் மாத இறுதியில்"),
        ("సెలవు", "వార్షిక సెలవు ఇరవై రోజులు", "జీతం నెలాఖరున"),
        ("ರಜೆ", "ವಾರ್ಷಿಕ ರಜೆ ಇಪ್ಪತ್ತು ದಿನ", "ಸಂಬಳ ತಿಂಗಳ ಕೊನೆಯಲ್ಲಿ"),
        ("അവധി", "വാർഷിക അവധി ഇരുപത് ദിവസം", "ശമ്പളം മാസാവസാനം"),
        ("રજા", "વાર્ષિક રજા વીસ દિવસ", "પગાર મહિનાના અંતે"),
        ("ਛੁੱਟੀ", "ਸਾਲਾਨਾ ਛੁੱਟੀ ਵੀਹ ਦਿਨ", "ਤਨਖਾਹ ਮਹੀਨੇ ਦੇ ਅੰਤ"),
        ("सुट्टी", "वार्षिक सुट्टी वीस दिवस आहे", "पगार महिन्याच्या शेवटी आहे"),
        ("भुक़्तान", "भुक्तान की अंतिम तिथि", "ब्याज की दर"),
        ("מדיניות", "מְדִינִיּוּת החופשה של החברה", "השכר משולם בסוף החודש"),
        ("مدرسه", "المَدْرَسَةُ مغلقة يوم الجمعة", "الراتب في نهاية الشهر"),
        ("नौकरी", "नौकरी\u200d की शर्तें", "छुट्टी की शर्तें"),
    ],
)
def test_ret_12_marks_of_other_scripts_stay_with_their_words(query: str, expected: str, sibling: str) -> None:
    assert ranking(query, sibling, expected) == [expected]


CHINESE = ["员工每年享有十五天年假。", "报销须在三十天内提交。", "办公室九点开门。", "密码每九十天更换一次。"]


@pytest.mark.parametrize(
    ("query", "passages"),
    [
        ("年假", CHINESE),
        ("年假有多少天？", CHINESE),
        ("假", CHINESE),
        (
            "有給休暇",
            [
                "社員は年に二十日の有給休暇を取得できます。",
                "経費は三十日以内に精算します。",
                "会社は九時に始まります。",
            ],
        ),
        (
            "パスワード",
            ["ﾊﾟｽﾜｰﾄﾞは九十日ごとに変更します。", "会社は九時に始まります。", "カードは受付で渡します。"],
        ),
        ("ลาพักร้อน", ["พนักงานมีสิทธิลาพักร้อนสิบวันต่อปี", "เงินเดือนจ่ายทุกสิ้นเดือน", "สำนักงานเปิดเก้าโมงเช้า"]),
        ("ວັນພັກ", ["ພະນັກງານໄດ້ວັນພັກສິບວັນ", "ເງິນເດືອນຈ່າຍທ້າຍເດືອນ"]),
        ("វិស្សមកាល", ["បុគ្គលិកមានវិស្សមកាលដប់ថ្ងៃ", "ប្រាក់ខែបើកចុងខែ"]),
        ("ခွင့်ရက်", ["ဝန်ထမ်းများ ခွင့်ရက် ဆယ်ရက်ရှိသည်", "လစာကို လကုန်တွင်ပေးသည်"]),
        (
            "휴가",
            ["직원은 매년 휴가를 15일 사용합니다.", "급여는 월말에 지급됩니다.", "사무실은 9시에 엽니다."],
        ),
        ("쌀", ["쌀을 창고에 보관합니다.", "물을 마십니다."]),
    ],
)
def test_ret_13_scripts_without_spaces_find_the_line_that_holds_the_word(
    query: str, passages: list[str]
) -> None:
    assert ranking(query, *passages)[0] == passages[0]
    assert ranking(query, *reversed(passages))[0] == passages[0]


@pytest.mark.parametrize(
    ("query", "expected", "siblings"),
    [
        ("Welche Strafen gelten für Häuser?", "Für jedes Haus gilt eine Strafe, die der Bürgermeister festsetzt.", ["Die Miete ist am ersten Tag des Monats zu zahlen.", "Der Verkauf von Waren ist an Sonntagen nicht erlaubt."]),
        ("Strasse Müller", "Die Straße ist nach Muller oder Müller benannt und wird gesperrt.", ["Der Platz ist nach Schmidt benannt.", "Das Haus wird verkauft."]),
        ("información sobre los pagos", "La informacion del pago se envía por correo a los clientes.", ["El horario de la oficina es de nueve a cinco.", "La tarjeta se entrega en la recepción."]),
        ("cuantas vacaciones", "Cada empleado tiene veinte días de vacación al año.", ["El salario se paga a fin de mes.", "La oficina está cerrada los domingos."]),
        ("Quels sont les droits de l'employé ?", "Les droits d'un employé sont décrits dans le règlement.", ["Le salaire est versé à la fin du mois.", "L'eau est gratuite pour les clients."]),
        ("Qual è l'orario dell'ufficio?", "Gli orari degli uffici sono esposti all'ingresso della sede.", ["Lo stipendio è pagato alla fine del mese.", "La carta è consegnata in banca."]),
        ("Quantos dias de férias?", "Os empregados têm vinte dias de ferias por ano.", ["O salário é pago no fim do mês.", "O escritório abre às nove horas."]),
        ("Welke regels gelden voor vergoedingen?", "De regel voor een vergoeding is te vinden in het handboek.", ["Het salaris wordt aan het eind van de maand betaald.", "Het kantoor is open om negen uur."]),
        ("Care sunt drepturile angajaților?", "Fiecare angajat are dreptul la douăzeci de zile de concediu.", ["Salariul se plătește la sfârșitul lunii.", "Biroul este închis duminica."]),
        ("naţionale", "Băncile naționale sunt închise de sărbători și în weekend.", ["Salariul se plătește la sfârșitul lunii."]),
        ("Çalışanların izin hakları nelerdir?", "Her çalışanın yılda yirmi gün izin hakkı vardır ve bu hak devredilemez.", ["Maaş ay sonunda ödenir.", "Ofis dokuzda açılır."]),
        ("İSTANBUL", "Ofis İstanbul'da bir binada bulunur.", ["Ofis Ankara'da bir binada bulunur."]),
        ("istanbul", "Ofis İstanbul'da bir binada bulunur.", ["Ofis Ankara'da bir binada bulunur."]),
        ("nghỉ phép năm", "Nhân viên được nghỉ phép mười lăm ngày một năm.", ["Lương được trả vào cuối tháng.", "Văn phòng mở cửa lúc chín giờ."]),
        ("nghi phep", "Nhân viên được nghỉ phép mười lăm ngày một năm.", ["Lương được trả vào cuối tháng.", "Văn phòng mở cửa lúc chín giờ."]),
        ("Какие отпуска у сотрудников?", "Сотрудник имеет право на отпуск двадцать дней в году.", ["Зарплата выплачивается в конце месяца.", "Офис открывается в девять."]),
        ("расчет налогов", "Расчёт нало́га производится ежегодно.", ["Зарплата выплачивается в конце месяца."]),
        ("Ποιες άδειες έχουν οι υπάλληλοι;", "Κάθε υπάλληλος έχει άδεια είκοσι ημερών.", ["Ο μισθός πληρώνεται στο τέλος του μήνα.", "Το γραφείο ανοίγει στις εννέα."]),
        ("ΑΔΕΙΑ", "Κάθε υπάλληλος έχει άδεια είκοσι ημερών.", ["Ο μισθός πληρώνεται στο τέλος του μήνα."]),
        ("ما هي إجازات الموظفين؟", "للموظف الحق في إجازة عشرين يوما في السنة", ["يدفع الراتب في نهاية الشهر", "يفتح المكتب في التاسعة"]),
        ("حقوق الموظف", "تحدد اللائحة حقوق الموظفين والإجازات", ["يدفع الراتب في نهاية الشهر"]),
        ("کتاب های دانشگاه", "كتاب‌های دانشگاه در کتابخانه است", ["حقوق در پایان ماه پرداخت می‌شود"]),
        ("résumé", "Send your resume to the manager.", ["Send your invoice to the manager."]),
        ("organisations' policies", "The policy of the organisation is public.", ["The fee of the bank is public."]),
    ],
)  # fmt: skip
def test_inflected_and_unaccented_words_meet_in_their_language(
    query: str, expected: str, siblings: list[str]
) -> None:
    assert_first(query, expected, *siblings)


def test_full_width_forms_and_invisible_characters_meet_plain_ones() -> None:
    assert ranking("ＡＢＣ１２３", "Order ABC123 now", "Order ABD123 now")[0] == "Order ABC123 now"
    assert ranking("policy", "The pol\u00adicy\u200b holds", "The fee holds") == [
        "The pol\u00adicy\u200b holds"
    ]


@pytest.mark.parametrize(
    "query",
    ["what is the of and", "What Is The Of And?", "WHAT IS THE OF AND", "was ist das der und", "qué es el de los y",
     "qu'est-ce que c'est", "क्या है का और में", "что это и в на", "ما هي من في", "什么是的", "", " ?! ", "\ud800"],
)  # fmt: skip
def test_ret_03_a_question_of_function_words_finds_nothing(query: str) -> None:
    texts = ["what is the of and policy", "was ist das der und Regel für den Kunden", "qué es el de los y la regla",
             "qu'est-ce que c'est la règle de la", "क्या है का और में नियम", "что это и в на правило", "ما هي من في القاعدة", "什么是规则的"]  # fmt: skip
    assert ranking(query, *texts) == []


def test_a_short_question_is_stemmed_in_the_languages_of_the_index() -> None:
    german = "Die Regelungen für den Urlaub sind in der Satzung zu finden."
    english = "The holidays are listed in the handbook of the company."
    assert ranking("Regelung Satzungen", english, german) == [german]
    assert ranking("holiday handbooks", english, german) == [english]
    assert view_of(german, english).languages == {"de", "en"}
