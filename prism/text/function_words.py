"""Function words by language (ISO 639-1 code): they tell languages apart and are no search terms.

Only words without content of their own: articles, pronouns, prepositions, conjunctions, auxiliaries and
question words. Lower case, NFC, apostrophes as `'`.
"""

from __future__ import annotations

from collections.abc import Mapping

from prism.text.normalize import normalize

_LISTS = {
    "en": """a an the this that these those i me my we us our ours you your yours he him his she her hers
        it its they them their theirs who whom whose which what when where why how and or but if
        because as until while of at by for with about against between into through during before
        after above below to from in out on off over under again further then once here there all any
        both each few more most other some such no nor not only own same so than too very can will
        just should could would might must shall am is are was were be been being have has had having
        do does did doing also don't isn't doesn't didn't wasn't aren't can't won't it's that's what's
        i'm you're there's upon within without per via etc eg ie""",
    "de": """der die das den dem des ein eine einen einem einer eines und oder aber ich du er sie es wir
        ihr mich mir dich dir ihn ihm uns euch sich mein dein sein seine seinen seiner ihre ihren
        ihrer ihrem unser unsere dieser diese dieses diesen diesem jener welche welcher welches
        welchen wer was wo wann warum wie wieviel ist sind war waren wird werden wurde wurden hat
        haben hatte hatten bin bist sei kann können konnte muss müssen soll sollen darf dürfen nicht
        kein keine auf aus an am bei beim bis durch für gegen in im ins mit nach ohne seit um unter
        über von vom vor zu zum zur zwischen als auch da dann dass daß doch noch nur schon sehr so
        wenn weil ob damit sowie man hier dort mehr""",
    "fr": """le la les un une des du de d l au aux et ou mais donc or ni car je tu il elle on nous vous ils
        elles me te se lui leur leurs mon ton son ma ta sa mes tes ses notre votre nos vos ce cet
        cette ces celui celle ceux qui que qu quoi dont où quand comment pourquoi combien quel quelle
        quels quelles est sont était étaient être été a ont avait avaient avoir eu fut ai as sera dans
        en par pour sur avec sans sous entre vers chez ne pas plus moins très aussi si comme même y c
        j m n s t lors ainsi depuis""",
    "es": """el la los las un una unos unas de del al y e o u pero si no yo tú él ella ello nosotros ellos
        ellas me te se le les lo nos su sus mi mis tu tus este esta esto estos estas ese esa esos esas
        aquel aquella que qué quien quién quienes cual cuál cuales cuáles cuando cuándo donde dónde
        como cómo por porque para con sin sobre entre hasta desde hacia en a ante es son era eran fue
        fueron ser sido está están estaba ha han había habían haber hay he más menos muy también ya
        cuánto cuántos cuánta cuántas nuestro""",
    "it": """il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da
        dal dalla dai dalle in nel nello nella nei negli nelle con su sul sulla sui sulle per tra fra
        e ed o ma se non che chi cui quale quali quando dove come perché quanto quanti quanta quante
        cosa è sono era erano fu furono essere stato stata ha hanno aveva avevano avere ho io tu lui
        lei noi voi loro mi ti si ci vi suo sua suoi sue questo questa questi queste quello quella più
        meno molto anche già l d c un' dell all dall nell sull""",
    "pt": """o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com
        sem sobre entre até desde e ou mas se não que quem qual quais quando onde como porque porquê
        quanto quantos quanta quantas é são era eram foi foram ser sido está estão estava há tem têm
        tinha tinham ter eu tu ele ela nós eles elas me te lhe seu sua seus suas meu minha este esta
        isto esse essa isso aquele aquela ao aos à às num numa mais menos muito também já""",
    "nl": """de het een en of maar ik jij je hij zij ze wij we jullie u mij me hem haar ons hun mijn jouw
        zijn onze dit dat deze die wie wat waar wanneer waarom hoe hoeveel welke welk is was waren ben
        bent wordt worden werd werden heeft hebben had hadden kan kunnen moet moeten zal zullen mag
        niet geen van in op te aan met voor door bij naar uit over onder tussen om tot tegen als ook
        er dan nog al zo dus wel""",
    "ro": """un o unei unui al ai ale a cel cea cei cele de la din în pe cu pentru prin sub peste între
        până spre fără despre după și şi sau dar ca că să dacă nu mai eu tu el ea noi voi ei ele se îi
        îl le i l lui lor său sa săi sale acest această acești aceste acel acea care ce cine cui când
        unde cum cât câți câte câtă este e sunt era erau fost fi au am avea avut are fie va vor fiind
        in și-a s-a s-au într-o într-un dintr foarte""",
    "tr": """bir ve veya ya da de ile için ama fakat ancak ki mi mı mu mü bu şu o ben sen biz siz onlar
        bunu bunun buna onun onu ona ne nedir neden niçin nasıl nerede nereden neresi kim kimdir kimin
        hangi hangisi kaç zaman gibi kadar daha en çok az her hiç değil var yok olan olarak olduğu
        oldu olur idi ise göre sonra önce tarafından arasında üzerinde içinde şey hem ayrıca""",
    "vi": """và là của có được cho với trong các những một này đó đã đang sẽ không từ đến tại theo về như
        khi để bởi vì nhưng hoặc hay thì mà ra vào trên dưới bị do cũng rất nhiều gì nào ai đâu sao
        thế bao nhiêu cái chiếc rằng nếu nên còn ở""",
    "sv": """en ett och eller men att det den de som är var vara varit blir blev har hade kan kunde ska
        skulle måste jag du han hon vi ni dem mig dig honom henne oss er sin sitt sina min din vår
        deras denna detta dessa vem vad vilken vilka när varför hur i på av för med till från om under
        över mellan efter utan inte ej också så än då nu""",
    "da": """en et og eller men at det den de som er var være været bliver blev har havde kan kunne skal
        skulle må jeg du han hun vi i dem mig dig ham hende os jer sin sit sine min din vores deres
        denne dette disse hvem hvad hvilken hvilke hvornår hvor hvorfor hvordan på af for med til fra
        om under over mellem efter uden ikke også så end da nu""",
    "no": """en et ei og eller men at det den de som er var være vært blir ble har hadde kan kunne skal
        skulle må jeg du han hun vi dere dem meg deg ham henne oss sin sitt sine min din vår deres
        denne dette disse hvem hva hvilken hvilke når hvor hvorfor hvordan i på av for med til fra om
        under over mellom etter uten ikke også så enn da nå""",
    "fi": """ja tai mutta että on ei ovat oli olivat olla ollut se ne hän he minä sinä me te tämä tuo nämä
        nuo joka jotka mikä mitä kuka ketkä missä milloin miksi miten kuinka kun jos kuin myös vain
        niin sen sitä siitä hänen heidän niiden sekä kanssa ennen jälkeen""",
    "hu": """a az egy és vagy de hogy nem is ez ezek azok ő ők én te mi ti van volt vannak voltak lesz
        lenni aki ami amely amelyek ki mit mely hol mikor miért hogyan hány mennyi ha mint csak már
        még meg el után előtt között alatt által""",
    "ca": """el la els les un una uns unes de del dels al als i o però si no que qui quin quina quins
        quines quan on com per perquè amb sense sobre entre fins des en a és són era eren va van ser
        estat ha han havia hi ho es se li seu seva seus més també molt aquest aquesta quants""",
    "id": """yang dan di ke dari untuk dengan pada adalah ini itu atau tidak akan dalam oleh sebagai juga
        karena ada saya kami kita dia mereka anda apa siapa kapan mana dimana mengapa bagaimana berapa
        telah sudah dapat bisa harus lebih para bahwa jika maka agar""",
    "pl": """i w we z ze na do od po za przez dla przy o nie się jest są był była było byli być to ten ta
        te tym tego tej ja ty on ona my wy oni ich jego jej kto kiedy gdzie dlaczego jak ile który
        która które których a ale lub czy że oraz także już tylko""",
    "cs": """a i v ve z ze na do od po za pro při o u s se si je jsou byl byla bylo byli být to ten ta ty
        tím toho já on ona my vy oni jejich jeho její kdo kdy kde proč jak kolik který která které
        kterých ale nebo že také už jen není""",
    "ru": """такое такой такая такие и в во не что он на я с со как а то все она так его но да ты к у же вы
        за бы по только ее её мне было вот от меня еще нет о из ему когда даже ну вдруг ли если уже
        или ни быть был была были него до вас нибудь опять уж вам ведь там потом себя ничего ей может
        они тут где есть надо ней для мы тебя их чем сам чтоб без чего раз тоже себе под будет кто
        этот этого эта это эти этой этом который которая которое которые которых какой какая какие
        каков сколько почему зачем куда при об над между также является""",
    "uk": """і й в у на з із зі до від по за про для при не що як це цей ця ці той та те ті він вона воно
        вони ми ви я ти його її їх є був була було були бути або але якщо хто коли де чому скільки
        який яка яке які також вже ще""",
    "bg": """и в във на с със за от до по при не че да се е са беше бяха бъде това този тази тези той тя то
        те ние вие аз ти му ѝ им си който която което които какво кой кога къде защо как колко или но
        ако като също""",
    "el": """ο η το οι τα του της των τον την τους τις ένας μία μια ένα και ή αλλά αν να θα δεν μη μην με
        σε στο στη στην στον στους στις στα από για προς κατά μετά πριν παρά χωρίς ως όπως που πού πως
        πώς ότι τι ποιος ποια ποιο ποιοι ποιες πότε γιατί πόσο πόσα πόσοι πόσες είναι ήταν έχει έχουν
        είχε είχαν αυτό αυτός αυτή αυτοί αυτά εγώ εσύ εμείς εσείς μου σου μας σας κι επίσης""",
    "ar": """في من إلى على عن مع أن إن كان كانت كانوا يكون هو هي هم هذا هذه ذلك تلك الذي التي الذين ما ماذا
        متى أين كيف لماذا كم هل أي أو و ثم لا لم لن قد كل بعد قبل بين حتى إذا عند منذ حيث كما لكن بل
        غير له لها لهم به بها فيه فيها منه منها عليه عليها التى الى وهو وهي نحن أنا أنت""",
    "fa": """و در به از که این آن را با برای است بود شد می های یا تا بر هم نیز یک خود اگر ما شما او آنها من
        تو چه چرا چگونه کی کجا کدام چند چیست کیست نیست هست بودند شده""",
    "ur": """کے کی کا کو میں سے ہے ہیں تھا تھی تھے اور یا نے پر یہ وہ اس ان جو کہ ہو گیا گئی کیا کون کب
        کہاں کیوں کیسے کتنا کتنے کتنی بھی تک نہیں لیے ساتھ ہم آپ""",
    "he": """של את על עם אל מן מ ב ל ה ו כי אם או גם לא זה זו זאת אלה הוא היא הם הן אני אתה אנחנו היה היתה
        הייתה היו יש אין מה מי מתי איפה היכן למה מדוע איך כיצד כמה איזה איזו אשר ש כל בין לפני אחרי עד
        רק""",
    "hi": """का के की को से में पर ने और या यह वह ये वे इस उस इन उन इसे उसे इसके उसके इसकी उसकी इसका उसका
        उनके उनकी उनका है हैं था थी थे हो हुआ हुई हुए होता होती होते होना कर किया गया गई गए जो जिस
        जिसे जिसके जिसकी कि क्या कौन किस किसने किसे किसके किसकी किसका कब कहाँ कहां क्यों कैसे कितना
        कितने कितनी कौनसा तो भी ही तक लिए नहीं मैं हम तुम आप रहा रही रहे""",
    "mr": """आहे आहेत होते होता होती आणि किंवा व या हा ही हे तो ती ते त्या च्या चा ची चे ला ना ने वर मध्ये
        पासून साठी कडे का काय कोण कोणता कोणती कोणते कधी कुठे कसे किती जे जो जी की पण नाही असे असा असून
        एक""",
    "ne": """को का की ले लाई मा र वा छ छन् थियो थिए हो हुन् यो त्यो ती यी के कुन कसले कहिले कहाँ किन कसरी
        कति भने पनि गरेको गर्ने भएको भन्ने एक देखि सम्म लागि छैन""",
    "ko": """이 그 저 및 또는 그리고 그러나 하지만 무엇 무엇을 무엇이 무엇인가 무엇인가요
        무엇입니까 누구 누가 누구인가 언제 어디 어디서 어디에 왜 어떻게 어떤 어느 얼마나
        얼마 몇 있는 있다 있습니까 있나요 하는 한 된 되는 대한 대해 위해 의해 것은 것을
        것이 이것 그것 등 수 때 중""",
    "ta": """மற்றும் ஒரு இந்த அந்த இது அது என்று என்ன யார் எப்போது எங்கே ஏன் எப்படி எத்தனை எது உள்ளது ஆகும்
        அல்லது இல்லை மீது""",
    "bn": """এবং ও বা একটি এই সেই যে যা কি কী কে কখন কোথায় কেন কিভাবে কত থেকে জন্য সাথে হয় ছিল আছে না করা
        এর""",
    "hy": """և ու կամ է են էր էին որ ինչ ով երբ որտեղ ինչու ինչպես այս այդ այն մեջ համար հետ""",
}

FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(normalize(words).split()) for language, words in _LISTS.items()
}
"""Language code -> its function words."""
